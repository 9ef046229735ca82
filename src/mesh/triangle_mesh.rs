//! Triangle mesh.
