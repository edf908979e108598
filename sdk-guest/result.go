package guest

import (
	"strings"

	"github.com/wasmtools/wasmtools/abi"
)

// Result is for tools that want to say more than one value can. The zero value is a success without content.
type Result struct {
	// Content is what the model gets.
	Content []Part

	// Structured is for the application and for models that take structured results. Nil means none.
	Structured any

	// Attributes are for the application only.
	Attributes map[string]any

	// Error, if not nil, says that the call failed. The other fields are then ignored.
	Error error
}

// Success returns a Result of one text.
func Success(text string) Result { return Result{Content: []Part{Text(text)}} }

// Failure returns a failed Result. A blank message is replaced by a fixed text.
func Failure(message string) Result {
	if strings.TrimSpace(message) == "" {
		message = "Tool execution failed with no message"
	}
	return Result{Error: Failed(message)}
}

// Part is one piece of content. A tool may return a Part or a []Part as its result.
type Part = abi.Part

// Text returns a text.
func Text(text string) Part { return Part{Type: abi.PartText, Text: text} }

// Image returns an image, such as of type image/png.
func Image(mimeType string, data []byte) Part {
	return Part{Type: abi.PartImage, MIMEType: mimeType, Data: data}
}

// Audio returns a sound, such as of type audio/wav.
func Audio(mimeType string, data []byte) Part {
	return Part{Type: abi.PartAudio, MIMEType: mimeType, Data: data}
}

// Resource returns an embedded resource that is not text.
func Resource(uri, mimeType string, data []byte) Part {
	return Part{Type: abi.PartResource, URI: uri, MIMEType: mimeType, Data: data}
}

// TextResource returns an embedded resource that is text.
func TextResource(uri, mimeType, text string) Part {
	return Part{Type: abi.PartResource, URI: uri, MIMEType: mimeType, Text: text}
}

// ResourceLink returns a link to a resource.
func ResourceLink(uri, name, mimeType string) Part {
	return Part{Type: abi.PartResourceLink, URI: uri, Name: name, MIMEType: mimeType}
}
