//! Obj.
