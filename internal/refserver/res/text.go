package res

import (
	"maps"
	"strconv"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

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
	out := st.EveryLanguage("")
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

// handles gives each language of a name its handle: the one asked for, otherwise the one it has, otherwise one made
// from the name. A handle that another record has in that language is followed by a number. fallback replaces a name
// without letters.
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
