package readmetest

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// command is one command of a console block.
type command struct {
	line   int    // of the file, counted from 1
	text   string // what a shell runs
	output string // what is to appear, without the last newline
	status bool   // the next command of the block asks for the exit status, so it may be any
}

// askStatus is the command that shows the exit status of the one before it.
const askStatus = "echo $?"

// parse returns the commands of all console blocks, one list for each block. What a block shows before its first command,
// a block without commands, and one without an end are errors.
func parse(markdown string) ([][]command, error) {
	var blocks [][]command
	var block []command
	inside, continued := false, false
	for i, line := range strings.Split(markdown, "\n") {
		last := len(block) - 1
		switch {
		case !inside:
			inside = line == "```console"
		case line == "```":
			if len(block) == 0 {
				return nil, fmt.Errorf("line %d: the console block has no command", i+1)
			}
			blocks = append(blocks, block)
			block, inside, continued = nil, false, false
		case continued:
			block[last].text += "\n" + line
			continued = strings.HasSuffix(line, `\`)
		case strings.HasPrefix(line, "$ "):
			c := command{line: i + 1, text: strings.TrimPrefix(line, "$ ")}
			if c.text == askStatus && last >= 0 {
				block[last].status = true
			}
			block = append(block, c)
			continued = strings.HasSuffix(line, `\`)
		case len(block) == 0:
			return nil, fmt.Errorf("line %d: %q comes before the block's first command", i+1, line)
		default:
			block[last].output += line + "\n"
		}
	}
	if inside {
		return nil, errors.New("the last console block does not end")
	}
	return blocks, nil
}

// matches reports whether the output is what the file shows, where three dots stand for anything within a line.
func (c command) matches(output string) bool {
	pattern := strings.ReplaceAll(regexp.QuoteMeta(strings.TrimSpace(c.output)), `\.\.\.`, `.*`)
	return regexp.MustCompile(`\A` + pattern + `\z`).MatchString(strings.TrimSpace(output))
}
