#if !Server
#error("CountersignResource needs the package trait Server, which `traits: []` leaves out")
#endif

// A service that accepts tokens writes one import, which re-exports these modules.
@_exported public import Countersign
@_exported public import CountersignTransport
@_exported public import CountersignWire
