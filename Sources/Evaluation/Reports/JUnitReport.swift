import Diagnostics

/// The reports of one run as JUnit XML, the dialect that Jenkins, GitLab and GitHub's annotators read: a suite a model,
/// and in it a test case for each picture and for each gate.
///
/// A picture that breaks a limit is a `failure`, one that could not be evaluated an `error`.
func junitReport(
  _ reports: [EvaluationReport], failures: [StyleModelError] = [], origin: ReportOrigin
) -> String {
  var suites = reports.map(JUnitSuite.init) + failures.map(JUnitSuite.init)
  // A run that evaluated nothing has failed, and must not look like one with nothing to complain of.
  if suites.isEmpty {
    let nothing = JUnitCase(name: "models", problem: .error("no model was evaluated"))
    suites = [JUnitSuite(name: origin.tool, cases: [nothing])]
  }
  let document: Markup = """
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="\(origin.tool)" tests="\(suites.reduce(0) { $0 + $1.cases.count })" \
    failures="\(suites.reduce(0) { $0 + $1.failures })" errors="\(suites.reduce(0) { $0 + $1.errors })" \
    time="\(fixed(suites.reduce(0) { $0 + $1.seconds }, 3))">
    \(suites.markup(\.markup))
    </testsuites>

    """
  return document.source
}

private struct JUnitCase {
  enum Problem {
    case failure(String)
    case error(String)
  }

  var name: String
  var seconds = 0.0
  var problem: Problem?
  /// What is known of a case that went well too.
  var output: String?
}

private struct JUnitSuite {
  var name: String
  var cases: [JUnitCase]

  var seconds: Double { cases.reduce(0) { $0 + $1.seconds } }
  var failures: Int { cases.count { if case .failure = $0.problem { true } else { false } } }
  var errors: Int { cases.count { if case .error = $0.problem { true } else { false } } }

  var markup: Markup {
    """
    <testsuite name="\(name)" tests="\(cases.count)" failures="\(failures)" errors="\(errors)" skipped="0" \
    time="\(fixed(seconds, 3))">
    \(cases.markup(element))
    </testsuite>
    """
  }

  private func element(_ test: JUnitCase) -> Markup {
    let head: Markup =
      "<testcase classname=\"\(name)\" name=\"\(test.name)\" time=\"\(fixed(test.seconds, 3))\""
    let output: Markup = test.output.map { "<system-out>\($0)</system-out>" } ?? .empty
    switch test.problem {
    case nil: return output == .empty ? head + "/>" : head + ">\(output)</testcase>"
    case .failure(let message):
      return head + "><failure type=\"gate\" message=\"\(message)\">\(message)</failure>\(output)</testcase>"
    case .error(let message):
      return head
        + "><error type=\"evaluation\" message=\"\(message)\">\(message)</error>\(output)</testcase>"
    }
  }
}

extension JUnitSuite {
  init(_ report: EvaluationReport) {
    name = report.candidate.name
    var cases = report.pictures.map { JUnitCase($0, in: report) }
    if cases.isEmpty {
      cases.append(JUnitCase(name: "pictures", problem: .error("no picture was evaluated")))
    }
    cases += report.gates.map { gate in
      JUnitCase(
        name: "gate \(gate.gate)", problem: gate.passed ? nil : .failure(gate.text),
        output: gate.passed ? gate.text : nil)
    }
    self.cases = cases
  }
}

extension JUnitSuite {
  /// A model that could not be evaluated at all.
  init(_ failure: StyleModelError) {
    name = failure.file ?? "model"
    cases = [JUnitCase(name: "evaluation", problem: .error(failure.message))]
  }
}

extension JUnitCase {
  init(_ picture: PictureResult, in report: EvaluationReport) {
    name = "picture \(picture.name)"
    switch picture.outcome {
    case .failure(let error): problem = .error(error.message)
    case .success(let figures):
      seconds = figures.candidateSeconds + figures.referenceSeconds
      let faults = report.faults(of: picture)
      if !faults.isEmpty { problem = .failure(faults.joined(separator: "; ")) }
      output = "PSNR \(fixed(figures.quality.psnr, 2)) dB, SSIM \(fixed(figures.quality.ssim, 5))"
    }
  }
}
