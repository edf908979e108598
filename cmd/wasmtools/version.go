package main

import (
	"fmt"
	goruntime "runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wasmtools/wasmtools/abi"
	"github.com/wasmtools/wasmtools/internal/snapshot"
)

func newVersion() *cobra.Command {
	var verbose bool
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: "  wasmtools version -v",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			info := buildInfo()
			text := versionLine(info) + "\n"
			if verbose {
				text += restoreLine() + versionDetails(info)
			}
			return printText(cmd, text)
		},
	}
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "print how it works here and what it was built from, too")
	return cmd
}

func noArguments(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("unexpected argument %q", args[0])
	}
	return nil
}

// buildInfo returns what the Go toolchain recorded; it is empty in a program that was built in another way.
func buildInfo() *debug.BuildInfo {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return &debug.BuildInfo{GoVersion: goruntime.Version()}
	}
	return info
}

func versionLine(info *debug.BuildInfo) string {
	version := info.Main.Version
	if version == "" {
		version = "(devel)"
	}
	return fmt.Sprintf("wasmtools %s (ABI %s, wazero %s, %s, %s/%s)",
		version, abi.ImportModule, dependency(info, "github.com/tetratelabs/wazero"), info.GoVersion, goruntime.GOOS, goruntime.GOARCH)
}

func dependency(info *debug.BuildInfo, path string) string {
	for _, module := range info.Deps {
		if module.Path == path {
			return module.Version
		}
	}
	return "unknown"
}

// restoreLine says how the memory of modules is restored between calls on this system.
func restoreLine() string {
	system := snapshot.Probe()
	defer system.Close()
	text := fmt.Sprintf("restore %s", system.Mechanism())
	if note := system.Note(); note != "" {
		text += " (" + note + ")"
	}
	return text + "\n"
}

// versionDetails has a line for each setting of the build and each dependency.
func versionDetails(info *debug.BuildInfo) string {
	var b strings.Builder
	for _, setting := range info.Settings {
		fmt.Fprintf(&b, "build  %s=%s\n", setting.Key, setting.Value)
	}
	for _, module := range info.Deps {
		fmt.Fprintf(&b, "module %s %s\n", module.Path, module.Version)
	}
	return b.String()
}
