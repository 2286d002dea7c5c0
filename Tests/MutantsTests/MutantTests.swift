import Testing

@testable import Mutants
