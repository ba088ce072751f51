/// Feeds nothing to nobody yet; the manifest wants the folder to be there.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 { 0 }
