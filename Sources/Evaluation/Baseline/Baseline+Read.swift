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
      try read(JSONPlace(value: try JSONValue(parsing: bytes[...]), path: ""))
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

/// A value of a JSON document with its place in it, so that what is not as it should be can be named.
private struct JSONPlace {
  let value: JSONValue
  let path: String

  var isNull: Bool { value == .null }

  func optional(_ key: String) -> JSONPlace? {
    value[key].map { JSONPlace(value: $0, path: path.isEmpty ? key : "\(path).\(key)") }
  }

  func member(_ key: String) throws(StyleModelError) -> JSONPlace {
    guard value.members != nil else { throw wanted("an object") }
    guard let member = optional(key) else { throw problem("has no '\(key)'") }
    return member
  }

  func items() throws(StyleModelError) -> [JSONPlace] {
    guard let items = value.items else { throw wanted("an array") }
    return items.enumerated().map { JSONPlace(value: $1, path: "\(path)[\($0)]") }
  }

  func text() throws(StyleModelError) -> String {
    guard let text = value.string else { throw wanted("a string") }
    return text
  }

  func number() throws(StyleModelError) -> Double {
    guard let number = value.number else { throw wanted("a number") }
    return number
  }

  func count() throws(StyleModelError) -> Int {
    guard let count = value.integer, count >= 0 else { throw wanted("a whole number") }
    return count
  }

  func truth() throws(StyleModelError) -> Bool {
    guard let truth = value.bool else { throw wanted("true or false") }
    return truth
  }

  func wanted(_ what: String) -> StyleModelError { problem("is not \(what)") }

  private func problem(_ text: String) -> StyleModelError {
    StyleModelError(
      .badInput, place: path.isEmpty ? "document" : path, text,
      remedy: "make the baseline anew with 'eval --report'")
  }
}
