package client

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Text is a text in several languages, keyed by language code ("es", "pt", "en"). A language whose text is null is not
// in the map.
//
// The platform sends an object, but [] for an empty one and a string in a few places. All three are read. On write, the
// platform accepts a string for all languages of the store; see Plain. Text is a map and not a struct of the known
// languages, so that new languages require no new release.
//
// An update replaces a text as a whole. In the reference server, an omitted language is deleted; the contract does not
// specify this. To change one language, change it in the text that was read and send the whole text.
type Text map[string]string

// Plain returns a text that is written as a string, which the platform applies to all languages of the store. A string
// is also read as Plain.
func Plain(s string) Text { return Text{"": s} }

// Get returns the text in the first of the languages that t has. If it has none of them, it returns the Plain text, or
// else the first language in alphabetical order. It returns "" if t is empty.
func (t Text) Get(languages ...string) string {
	for _, l := range languages {
		if s, ok := t[l]; ok {
			return s
		}
	}
	if s, ok := t[""]; ok {
		return s
	}
	for _, l := range slices.Sorted(maps.Keys(t)) {
		return t[l]
	}
	return ""
}

// String returns Get().
func (t Text) String() string { return t.Get() }

// MarshalJSON writes an object, or a string for Plain.
func (t Text) MarshalJSON() ([]byte, error) {
	if s, ok := t[""]; ok {
		if len(t) > 1 {
			return nil, fmt.Errorf("text: must be either a plain string or languages, got a plain string and %d languages", len(t)-1)
		}
		return wire.Marshal(s)
	}
	return wire.Marshal(map[string]string(t))
}

// UnmarshalJSON reads an object, a string, [] or null. Languages with a null text are omitted. Numbers, true and false
// are read as texts.
func (t *Text) UnmarshalJSON(data []byte) error {
	switch kind(data) {
	case '{':
		return t.readObject(data)
	case '[':
		if !none(data) {
			return fmt.Errorf("text: must be an object keyed by language, got an array with elements")
		}
		*t = Text{}
		return nil
	case 'n':
		*t = nil
		return nil
	}
	plain, err := wire.Text(data)
	if err == nil {
		*t = Plain(plain)
	}
	return err
}

func (t *Text) readObject(data []byte) error {
	if !bytes.Contains(data, []byte("null")) {
		var texts map[string]string
		err := wire.Unmarshal(data, &texts)
		if err == nil {
			*t = texts
		}
		return err
	}
	var languages map[string]*string
	if err := wire.Unmarshal(data, &languages); err != nil {
		return err
	}
	*t = make(Text, len(languages))
	for language, text := range languages {
		if text != nil {
			(*t)[language] = *text
		}
	}
	return nil
}

// kind returns the first byte of a JSON value.
func kind(data []byte) byte {
	for _, b := range data {
		if b != ' ' && b != '\t' && b != '\n' && b != '\r' {
			return b
		}
	}
	return 0
}
