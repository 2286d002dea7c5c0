extension Collection<UInt8> {
  /// Runs a loop over its bytes where they lie side by side, which spares a call through the collection for each.
  func withContiguousBytes(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    if withContiguousStorageIfAvailable(body) == nil { Array(self).withUnsafeBufferPointer(body) }
  }
}
