/// The version of the package, as its change log has it.
let version = "0.1.0"
