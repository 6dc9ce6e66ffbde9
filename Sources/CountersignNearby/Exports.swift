// A screen or a phone nearby writes one import: these modules are part of what it gets.
@_exported public import Countersign
@_exported public import MulticastDNS
