// Messages show the types of this module.
@_exported public import Countersign
