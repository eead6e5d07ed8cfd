package value

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Text is a text in several languages, keyed by language code ("es", "pt", "en"). A language whose text is null is not
// in the map.
//
// The platform sends an object, but [] for an empty one and a string in a few places. All three are read. On write,
// the platform accepts a string for all languages of the store; see Plain. Text is a map and not a struct of the known
// languages, so that new languages require no new release. The platform keys some texts by locale ("es_AR"), such as
// the names of locations and the pages that an app creates; see Get.
//
// An update replaces a text as a whole. In the reference server, an omitted language is deleted; the contract does not
// specify this. To change one language, change it in the text that was read and send the whole text.
type Text map[string]string

// Plain returns a text that is written as a string, which the platform applies to all languages of the store. A string
// is also read as Plain.
func Plain(s string) Text { return Text{"": s} }

// Get returns the text in the first of the languages that t has. A language is a code such as "es", or a locale such
// as "es_AR" or "es-AR". The exact key counts first, then the language without a region, then another region of it:
// some texts are keyed by language, others by locale. If t has none of the languages, Get returns the Plain text, or
// else the first language in alphabetical order. It returns "" if t is empty.
func (t Text) Get(languages ...string) string {
	for _, l := range languages {
		if s, ok := t[l]; ok {
			return s
		}
		if key, ok := t.closest(l); ok {
			return t[key]
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

// closest returns the key of t for another spelling of a locale, or else for its language, or else for the first other
// region of the language in alphabetical order.
func (t Text) closest(locale string) (key string, ok bool) {
	locale = spelling(locale)
	language, _, _ := strings.Cut(locale, "-")
	best := 0
	for _, k := range slices.Sorted(maps.Keys(t)) {
		rank, own := 0, spelling(k)
		switch first, _, _ := strings.Cut(own, "-"); {
		case k == "":
		case own == locale:
			rank = 3
		case own == language:
			rank = 2
		case first == language:
			rank = 1
		}
		if rank > best {
			key, best = k, rank
		}
	}
	return key, best > 0
}

// spelling returns a locale in the form in which locales are compared.
func spelling(locale string) string { return strings.ToLower(strings.ReplaceAll(locale, "_", "-")) }

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
	switch wire.Kind(data) {
	case '{':
		return t.readObject(data)
	case '[':
		if !wire.None(data) {
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
