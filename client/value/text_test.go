package value

import "testing"

// A text that was keyed by locale was given in English to an app that asked for Spanish.
func TestTextOfALocale(t *testing.T) {
	for _, c := range []struct {
		text  Text
		asked []string
		want  string
	}{
		{Text{"en_US": "Hello", "es_AR": "Hola"}, []string{"es"}, "Hola"},
		{Text{"en-US": "Hello", "es-AR": "Hola"}, []string{"es"}, "Hola"},
		{Text{"en_US": "Hello", "pt_BR": "Oi"}, []string{"es", "pt"}, "Oi"},
		{Text{"en": "Hello", "es": "Hola"}, []string{"es_AR"}, "Hola"},
		{Text{"es": "exact", "es_AR": "other"}, []string{"es"}, "exact"},
		{Text{"es": "other", "es_AR": "exact"}, []string{"es_AR"}, "exact"},
		{Text{"es": "other", "es-ar": "exact"}, []string{"es_AR"}, "exact"},
		{Text{"es_MX": "region", "es": "language"}, []string{"es_AR"}, "language"},
		{Text{"en": "Hello", "es_MX": "M", "es_UY": "U"}, []string{"es_AR"}, "M"},
		{Text{"es_AR": "first", "pt": "second"}, []string{"es", "pt"}, "first"},
		{Text{"en": "Hello"}, []string{"es"}, "Hello"},
		{Text{"est": "Tere", "en": "Hello"}, []string{"es"}, "Hello"},
		{Plain("all"), []string{"es"}, "all"},
		{Plain("all"), []string{""}, "all"},
		{nil, []string{"es"}, ""},
	} {
		if got := c.text.Get(c.asked...); got != c.want {
			t.Errorf("%v.Get(%q): got %q, want %q", map[string]string(c.text), c.asked, got, c.want)
		}
	}
}
