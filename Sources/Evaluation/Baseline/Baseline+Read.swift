public import Diagnostics

/// The version of the reports that this library writes, and the only one that it takes for a baseline;
/// docs/report-schema.md describes it.
public let reportSchema = "stylemodel-report-1"

extension Baseline {
  /// Reads a report that `eval --report` wrote.
  /// - Parameters:
  ///   - bytes: the file.
  ///   - path: its name.
  /// - Throws: `.badInput` when it is not JSON, of another schema, or lacks what a comparison needs; the place is
  ///   where in the document: `models[0].pictures[2].ssim`.
  public init(parsing bytes: [UInt8], path: String) throws(StyleModelError) {
    self.init(path: path, entries: [])
    do {
      try read(
        JSONPlace(
          try JSONValue(parsing: bytes[...]), remedy: "make the baseline anew with 'eval --report'"))
    } catch { throw error.inFile(path) }
  }

  private mutating func read(_ document: JSONPlace) throws(StyleModelError) {
    let schema = try document.member("schema").text()
    guard schema == reportSchema else {
      throw StyleModelError(
        .badInput, place: "schema", "is '\(printable(schema, limit: 80))', not '\(reportSchema)'",
        remedy: "make the baseline anew with 'eval --report'")
    }
    for model in try document.member("models").items() {
      let entry = try Entry(model)
      guard !entries.contains(where: { $0.name == entry.name }) else {
        throw StyleModelError(
          .badInput, place: model.path, "is a second model '\(entry.name)'",
          remedy: "make the baseline with one model of each name")
      }
      entries.append(entry)
    }
  }
}

extension Baseline.Entry {
  fileprivate init(_ model: JSONPlace) throws(StyleModelError) {
    let subject = try model.member("model")
    name = try subject.member("name").text()
    let bytes = try subject.member("bytes")
    byteCount = bytes.isNull ? nil : try bytes.count()
    let digest = try model.member("against").member("sha256")
    referenceSHA256 = digest.isNull ? nil : try digest.text()
    definition = try model.member("definition").text()
    rounded = try model.member("rounded").truth()
    pictures = []
    for item in try model.member("pictures").items() {
      let picture = try Baseline.Picture(item)
      guard !pictures.contains(where: { $0.name == picture.name }) else {
        throw StyleModelError(.badInput, place: item.path, "is a second picture '\(picture.name)'")
      }
      pictures.append(picture)
    }
  }
}

extension Baseline.Picture {
  fileprivate init(_ picture: JSONPlace) throws(StyleModelError) {
    name = try picture.member("name").text()
    size = try picture.member("size").text()
    guard picture.optional("error") == nil else {
      sha256 = ""
      return
    }
    sha256 = try picture.member("sha256").text()
    let identical = try picture.member("identical").truth()
    let psnr = try picture.member("psnr_db")
    guard identical == psnr.isNull else {
      throw psnr.wanted("null for identical pictures, and for no others")
    }
    self.psnr = identical ? .infinity : try psnr.number()
    ssim = try picture.member("ssim").number()
  }
}
