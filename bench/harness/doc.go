// Package harness holds measurements to targets. A program declares its [Experiment]s and passes them to [Run], which prints
// tables as they come and at the very end one line for each target:
//
//	target NAME VALUE LIMIT ok|short|skipped|broken
//
// What is compared is measured in one process and in turns, so that whatever else the machine does falls on all cases alike; see
// [Lab.Compare]. Absolute figures are those of a machine and a moment. Ratios are what to look at.
package harness
