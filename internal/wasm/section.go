package wasm

// Section IDs.
const (
	SectionCustom    = 0
	SectionType      = 1
	SectionImport    = 2
	SectionFunction  = 3
	SectionTable     = 4
	SectionMemory    = 5
	SectionGlobal    = 6
	SectionExport    = 7
	SectionStart     = 8
	SectionElement   = 9
	SectionCode      = 10
	SectionData      = 11
	SectionDataCount = 12 // between Element and Code
	SectionTag       = 13 // between Memory and Global
)

func rank(id byte) int {
	switch id {
	case SectionTag:
		return 2*SectionMemory + 1
	case SectionDataCount:
		return 2*SectionElement + 1
	}
	return 2 * int(id)
}
