package snapshot

const GrowStep = growStep
