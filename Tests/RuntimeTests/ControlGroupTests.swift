import Testing

@testable import Runtime

@Suite struct ControlGroupTests {
  @Test(
    arguments: [
      // Version 2: the group's own limit, one of a group around it, none.
      (["0::/a/b"], ["/r/a/b/memory.max": "1000"], 1000),
      (["0::/a/b"], ["/r/a/b/memory.max": "max", "/r/a/memory.max": "700", "/r/memory.max": "900"], 700),
      (["0::/a/b"], ["/r/a/b/memory.max": "max"], nil),
      // A container sees its group at the root, under a path of the host.
      (["0::/docker/123"], ["/r/memory.max": "512"], 512),
      // Version 1 beside an empty version 2, and the number that stands for none there.
      (["5:cpu:/x", "4:memory:/a", "0::/"], ["/r/memory/a/memory.limit_in_bytes": "300"], 300),
      (
        ["4:hugetlb,memory:/a"], ["/r/memory/memory.limit_in_bytes": "9223372036854771712"],
        9_223_372_036_854_771_712
      ),
      // What is no line of that file, and no number.
      (["", "memory", "4:memory"], [:], nil), (["0::/"], ["/r/memory.max": "-5"], nil),
    ] as [([String], [String: String], Int?)])
  func leastOfAllThatHold(groups: [String], files: [String: String], limit: Int?) {
    #expect(ControlGroup.memoryLimit(groups: groups, root: "/r", read: { files[$0] }) == limit)
  }
}
