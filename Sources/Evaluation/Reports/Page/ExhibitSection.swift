import Diagnostics
import Imaging

extension ReportSection {
  /// The pictures themselves, the worst first: original, both outputs, and where they differ.
  var exhibits: Markup {
    let shown = report.worstFirst.enumerated().filter { $0.element.exhibit != nil }
    guard !shown.isEmpty else { return .empty }
    let missing = report.qualities.count - shown.count
    let hint =
      missing > 0
      ? "The \(shown.count) worst pictures are shown; \(counted(missing, "better one is", "better ones are")) left out. "
      : ""
    return """
      <section aria-labelledby="\(id)-look">
      <h2 id="\(id)-look">Look at it</h2>
      <p class="hint">\(hint)<span class="scripted" hidden>Move the slider, or drag across the picture, to wipe from one \
      output to the other. Zoomed in, all pictures of a row move together.</span></p>
      \(shown.markup { index, picture in exhibit(index + 1, picture) })
      </section>
      """
  }

  private func exhibit(_ number: Int, _ picture: PictureResult) -> Markup {
    guard let exhibit = picture.exhibit, let quality = picture.figures?.quality else { return .empty }
    let key: Markup = "\(id)-p\(number)"
    let left = report.reference.storage
    let right = report.candidate.storage
    return """
      <article class="exhibit" id="\(key)" aria-labelledby="\(key)-name" style="--width:\(exhibit.width);--height:\(exhibit.height)">
      <header><h3 id="\(key)-name">\(picture.name)</h3>
      <p>\(decibels(quality.psnr)) dB, SSIM \(fixed(quality.ssim, 5)), \(picture.size)</p></header>
      <div class="panes">
      <figure class="pane compare">
      <div class="view" tabindex="0" role="group" aria-label="\(picture.name): \(left) left, \(right) right"><div class="sheet">\
      \(image(exhibit.reference, exhibit, "reference", "\(picture.name) by \(report.reference.name), \(left)"))\
      \(image(exhibit.candidate, exhibit, "candidate", "\(picture.name) by \(report.candidate.name), \(right)"))\
      </div></div>
      <figcaption><span class="left">\(left)</span><span class="right">\(right)</span></figcaption>
      \(controls(key, left: left, right: right))
      </figure>
      <figure class="pane original">
      <div class="view" tabindex="0" role="group" aria-label="\(picture.name): original"><div class="sheet">\
      \(image(exhibit.original, exhibit, "", "\(picture.name), the original"))\
      </div></div>
      <figcaption>Original</figcaption>
      </figure>
      <figure class="pane errors">
      <div class="view" tabindex="0" role="group" aria-label="\(picture.name): error map"><div class="sheet">\
      \(image(exhibit.errors, exhibit, "", "Where the two outputs of \(picture.name) differ"))\
      </div></div>
      <figcaption>\(errorScale)</figcaption>
      </figure>
      </div>
      <p class="hint">\(remark(exhibit))</p>
      </article>
      """
  }

  private func image(
    _ picture: Exhibit.EncodedPicture, _ exhibit: Exhibit, _ role: Markup, _ description: String
  ) -> Markup {
    let data = Markup(trusted: base64(picture.bytes))
    let type: Markup = picture.format == .jpeg ? "image/jpeg" : "image/png"
    return """
      <img class="\(role)" alt="\(description)" width="\(exhibit.width)" height="\(exhibit.height)" decoding="async" \
      src="data:\(type);base64,\(data)">
      """
  }

  /// What only a script can serve; without one the outputs stand side by side.
  private func controls(_ key: Markup, left: String, right: String) -> Markup {
    let zooms: [(value: Markup, label: Markup)] = [
      ("fit", "Fit"), ("1", "100 %"), ("2", "200 %"), ("4", "400 %"), ("8", "800 %"),
    ]
    let choices = zooms.markup { zoom in
      """
      <label><input type="radio" name="\(key)-zoom" value="\(zoom.value)"\(zoom.value == "fit" ? " checked" : "")>\
      <span>\(zoom.label)</span></label>
      """
    }
    return """
      <div class="controls scripted" hidden>
      <label class="wipe"><span>Wipe</span>\
      <input type="range" min="0" max="100" value="50" step="1" data-left="\(left)" data-right="\(right)"></label>
      <fieldset class="zoom"><legend>Zoom</legend>\(choices)</fieldset>
      </div>
      """
  }

  /// The legend of error maps: their colours, and what they stand for.
  private var errorScale: Markup {
    """
    <span class="scale" role="img" aria-label="Scale: black is no error, light yellow is 16 grey levels and more">\
    <span class="ramp"></span><span class="ticks" aria-hidden="true"><span>0</span><span>4</span><span>8</span>\
    <span>12</span><span>16+</span></span>\
    Error in grey levels</span>
    """
  }

  private func remark(_ exhibit: Exhibit) -> String {
    let shares = zip(Exhibit.errorSteps, exhibit.sharesAbove).map { step, share in
      (percent(share), counted(Int(step), "grey level"))
    }
    var remarks = [
      "The map shows the greatest error of each pixel's three channels. Of the pixels, "
        + shares.map { "\($0.0) are off by more than \($0.1)" }.joined(separator: ", ")
        + "; the greatest error is \(fixed(exhibit.greatestError, 1))."
    ]
    if exhibit.isScaledDown {
      remarks.append(
        "Scaled down to \(sizeText(width: exhibit.width, height: exhibit.height)) for this page; the figures are of "
          + "the full size, and each pixel of the map shows the greatest error of those it stands for.")
    }
    if !exhibit.isLossless {
      remarks.append(
        "Both outputs are shown as JPEG of quality 95; the figures are of the outputs themselves.")
    }
    return remarks.joined(separator: " ")
  }
}
