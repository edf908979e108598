package hostfuncs

import (
	"bytes"
	"errors"
	"io"
	"sync"
)

// maxLine is the size of the longest line that can be an answer, in bytes.
const maxLine = 64 << 10

var errInputEnded = errors.New("the console's input ended")

// line is one line of an input, without its end.
type line struct {
	text    string
	tooLong bool // text is empty
}

// lineReader hands the next line of an input to whoever listens and drops all others. A line that began before somebody
// listened is dropped too. Reading all the time is what keeps an input free of answers to questions not put yet.
type lineReader struct {
	in    io.Reader
	start sync.Once // starts read

	mu      sync.Mutex
	answer  chan line // where the next line goes; nil while nobody listens
	partial []byte
	tooLong bool // the partial line has more than maxLine bytes
	stale   bool // the partial line began before anybody listened
	ended   bool
}

func newLineReader(in io.Reader) *lineReader { return &lineReader{in: in} }

// listen returns a channel that gets the next line, and is closed at the end of the input. There is one listener at a time.
func (r *lineReader) listen() <-chan line {
	r.mu.Lock()
	defer r.mu.Unlock()
	answer := make(chan line, 1)
	if r.ended {
		close(answer)
		return answer
	}
	r.answer, r.stale = answer, len(r.partial) > 0 || r.tooLong
	return answer
}

// ignore drops the lines from now on.
func (r *lineReader) ignore() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer = nil
}

// read ends at the end of the input, or at its first error.
func (r *lineReader) read() {
	defer r.end()
	buf := make([]byte, 4<<10)
	for {
		n, err := r.in.Read(buf)
		r.feed(buf[:n])
		if err != nil {
			return
		}
	}
}

// feed takes what was read at once. No more than one line of it is an answer: the others were there before whatever is
// asked next.
func (r *lineReader) feed(p []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(p) > 0 {
		head, rest, whole := bytes.Cut(p, []byte("\n"))
		r.extend(head)
		if whole {
			r.deliver()
		}
		p = rest
	}
}

func (r *lineReader) extend(p []byte) {
	if r.tooLong = r.tooLong || len(r.partial)+len(p) > maxLine; r.tooLong {
		r.partial = nil
		return
	}
	r.partial = append(r.partial, p...)
}

func (r *lineReader) deliver() {
	if r.answer != nil && !r.stale {
		r.answer <- line{string(bytes.TrimSuffix(r.partial, []byte("\r"))), r.tooLong} // has room: nothing was sent yet
		r.answer = nil
	}
	r.partial, r.tooLong, r.stale = r.partial[:0], false, false
}

func (r *lineReader) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended = true
	if r.answer != nil {
		close(r.answer)
		r.answer = nil
	}
}
