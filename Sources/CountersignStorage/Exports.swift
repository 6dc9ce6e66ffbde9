// The modules that the interface of the store shows, so that one import suffices.
@_exported public import Countersign
@_exported public import CountersignWire
