//! Variables that are declared outside functions.

use glsl_lang::ast::{
    InitDeclaratorList, SingleDeclaration, StorageQualifierData, TypeQualifierSpecData,
    TypeSpecifierNonArrayData,
};

/// A variable that is declared outside functions.
pub(crate) struct Global<'a> {
    pub name: &'a str,
    pub line: u32,
    pub declaration: &'a InitDeclaratorList,
}

impl Global<'_> {
    pub(crate) fn is_stream(&self) -> bool {
        let ty = &self.declaration.head.ty.ty.ty.content;
        matches!(ty, TypeSpecifierNonArrayData::TypeName(name) if name.as_str() == "stream")
    }

    pub(crate) fn has_storage(&self, storage: &StorageQualifierData) -> bool {
        has_storage(&self.declaration.head, storage)
    }
}

/// Whether a declaration is qualified with `storage`.
pub(crate) fn has_storage(declared: &SingleDeclaration, storage: &StorageQualifierData) -> bool {
    let qualifiers = declared.ty.qualifier.iter().flat_map(|all| &all.qualifiers);
    qualifiers.into_iter().any(|qualifier| {
        matches!(&qualifier.content, TypeQualifierSpecData::Storage(found) if found.content == *storage)
    })
}
