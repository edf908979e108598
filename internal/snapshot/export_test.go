package snapshot

import "os"

// Where tests need to see the insides.

const KeepGrown = keepGrown

func (i *Image) File() *os.File { return i.file }
