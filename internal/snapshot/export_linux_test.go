package snapshot

const (
	DropEvery = dropEvery
	FewPages  = fewPages
	GrowStep  = growStep
)
