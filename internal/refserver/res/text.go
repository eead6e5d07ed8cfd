package res

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// texts is a language-keyed member of a body: an object, or a plain string that
// stands for every language of the store. An empty array counts as an empty
// object, because that is how answers may write one.
type texts struct {
	plain *string
	by    map[string]string
}

// UnmarshalJSON takes either form.
func (t *texts) UnmarshalJSON(b []byte) error {
	*t = texts{}
	switch {
	case bytes.HasPrefix(b, []byte(`"`)):
		return json.Unmarshal(b, &t.plain)
	case bytes.HasPrefix(b, []byte(`[`)):
		var none []json.RawMessage
		if err := json.Unmarshal(b, &none); err != nil || len(none) > 0 {
			return errors.New("want a text or an object of texts")
		}
		return nil
	}
	var by map[string]*string
	if err := json.Unmarshal(b, &by); err != nil {
		return err
	}
	t.by = map[string]string{}
	for language, text := range by {
		if text != nil {
			t.by[language] = *text
		}
	}
	return nil
}

// in gives the text of each language.
func (t texts) in(st world.Store) map[string]string {
	if t.plain == nil {
		if t.by == nil {
			return map[string]string{}
		}
		return t.by
	}
	return everyLanguage(st, *t.plain)
}

// one gives the single text that a member without languages has.
func (t texts) one(st world.Store) string { return mainText(st, t.in(st)) }

func everyLanguage(st world.Store, text string) map[string]string {
	out := map[string]string{}
	for _, language := range st.LanguageCodes() {
		out[language] = text
	}
	return out
}

// mainText is the text in the store's main language or, without one, in the first
// language by code that has any.
func mainText(st world.Store, by map[string]string) string {
	if text := by[st.MainLanguage]; text != "" {
		return text
	}
	for _, language := range slices.Sorted(maps.Keys(by)) {
		if by[language] != "" {
			return by[language]
		}
	}
	return ""
}

// blank reports whether no language has a text.
func blank(by map[string]string) bool {
	for _, text := range by {
		if strings.TrimSpace(text) != "" {
			return false
		}
	}
	return true
}

// withEmpty is the texts with an empty one for each language of the store that
// has none, as descriptions have.
func withEmpty(st world.Store, by map[string]string) map[string]string {
	out := everyLanguage(st, "")
	maps.Copy(out, by)
	return out
}

// objectOrEmpty is the texts on the wire where an empty object is written as [].
func objectOrEmpty(by map[string]string) any {
	if len(by) == 0 {
		return []any{}
	}
	return by
}

// foldings are the letters that a handle writes without their marks.
var foldings = strings.NewReplacer(
	"á", "a", "à", "a", "â", "a", "ã", "a", "ä", "a", "å", "a", "æ", "ae", "ç", "c",
	"é", "e", "è", "e", "ê", "e", "ë", "e", "í", "i", "ì", "i", "î", "i", "ï", "i",
	"ñ", "n", "ó", "o", "ò", "o", "ô", "o", "õ", "o", "ö", "o", "ø", "o", "ß", "ss",
	"ú", "u", "ù", "u", "û", "u", "ü", "u", "ý", "y", "ÿ", "y",
)

// slug makes a text fit for a URL: lower-case letters and digits with hyphens
// between words. A text without any gives an empty one.
func slug(text string) string {
	var b strings.Builder
	gap := false
	for _, r := range foldings.Replace(strings.ToLower(text)) {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') {
			gap = b.Len() > 0
			continue
		}
		if gap {
			b.WriteByte('-')
			gap = false
		}
		b.WriteRune(r)
	}
	return b.String()
}

// handles gives each language of a name its handle: the one asked for, otherwise
// the one it has, otherwise one made from the name. A handle that another record
// has in that language is followed by a number. fallback stands for a name without
// letters.
func handles(name, asked, now map[string]string, fallback string, taken func(language, handle string) bool) map[string]string {
	out := map[string]string{}
	for language, text := range name {
		if h := slug(asked[language]); h != "" {
			text = h
		} else if h, ok := now[language]; ok {
			out[language] = h
			continue
		}
		base := slug(text)
		if base == "" {
			base = fallback
		}
		out[language] = free(base, func(h string) bool { return taken(language, h) })
	}
	return out
}

// free is the handle, followed by a number if it is taken. Numbers are tried in
// leaps, because many records may have one name.
func free(base string, taken func(handle string) bool) string {
	if !taken(base) {
		return base
	}
	numbered := func(n int) string { return base + "-" + strconv.Itoa(n) }
	low, high := 0, 1 // low is taken, as base itself is
	for taken(numbered(high)) {
		low, high = high, 2*high
	}
	for high-low > 1 {
		if middle := (low + high) / 2; taken(numbered(middle)) {
			low = middle
		} else {
			high = middle
		}
	}
	return numbered(high)
}
