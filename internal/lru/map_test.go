package lru

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// keys returns those of a map, the one that was not used for longest first.
func keys(m *Map[string, int]) (all []string) {
	for key := range m.All() {
		all = append(all, key)
	}
	return all
}

func TestOrderOfUse(t *testing.T) {
	var m Map[string, int]
	for i, key := range []string{"a", "b", "c", "d"} {
		m.Put(key, i)
	}
	m.Get("a")
	m.Peek("b")
	m.Put("c", 7)
	m.Get("no such key")
	m.Remove("no such key")
	if got, want := keys(&m), []string{"b", "d", "a", "c"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, ok := m.Peek("c"); got != 7 || !ok || m.Len() != 4 {
		t.Errorf("got %d, %v, of %d pairs; want 7, true, of 4", got, ok, m.Len())
	}
}

// A loop that removes the pair that it has goes on with the next one.
func TestRemoveWhileRanging(t *testing.T) {
	var m Map[string, int]
	for i, key := range []string{"a", "b", "c", "d", "e"} {
		m.Put(key, i)
	}
	var met []int
	for key, value := range m.All() {
		if met = append(met, value); value == 3 {
			break
		}
		m.Remove(key)
	}
	if want := []int{0, 1, 2, 3}; !slices.Equal(met, want) {
		t.Errorf("met %d, want %d", met, want)
	}
	if got, want := keys(&m), []string{"d", "e"}; !slices.Equal(got, want) {
		t.Errorf("left %q, want %q", got, want)
	}
}

func TestEmpty(t *testing.T) {
	var m Map[string, int]
	m.Remove("a")
	_, got := m.Get("a")
	_, peeked := m.Peek("a")
	if got || peeked || m.Len() != 0 || len(keys(&m)) != 0 {
		t.Errorf("the zero Map has something: %v, %v, %d", got, peeked, m.Len())
	}
}

// used is a pair of the model: a slice, the pair that was not used for longest first.
type used struct{ key, value int }

// Whatever is called in whatever order, a Map does what a slice does that is searched from its beginning.
func TestModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var m Map[int, int]
		var model []used
		find := func(key int) int { return slices.IndexFunc(model, func(u used) bool { return u.key == key }) }
		compare := func(call string, key, value int, ok bool) {
			at := find(key)
			if ok != (at >= 0) || ok && value != model[at].value {
				t.Fatalf("%s %d: got %d, %v of %v", call, key, value, ok, model)
			}
		}
		key := rapid.IntRange(0, 7)
		t.Repeat(map[string]func(*rapid.T){
			"Put": func(t *rapid.T) {
				u := used{key.Draw(t, "key"), rapid.Int().Draw(t, "value")}
				m.Put(u.key, u.value)
				model = append(slices.DeleteFunc(model, func(o used) bool { return o.key == u.key }), u)
			},
			"Get": func(t *rapid.T) {
				k := key.Draw(t, "key")
				value, ok := m.Get(k)
				compare("Get", k, value, ok)
				if at := find(k); at >= 0 {
					model = append(slices.Delete(model, at, at+1), used{k, value})
				}
			},
			"Peek": func(t *rapid.T) {
				k := key.Draw(t, "key")
				value, ok := m.Peek(k)
				compare("Peek", k, value, ok)
			},
			"Remove": func(t *rapid.T) {
				k := key.Draw(t, "key")
				m.Remove(k)
				model = slices.DeleteFunc(model, func(o used) bool { return o.key == k })
			},
			"Trim": func(t *rapid.T) {
				most := rapid.IntRange(0, 8).Draw(t, "most")
				for k := range m.All() {
					if m.Len() <= most {
						break
					}
					m.Remove(k)
				}
				model = model[max(len(model)-most, 0):]
			},
			"": func(t *rapid.T) {
				var all []used
				for k, v := range m.All() {
					all = append(all, used{k, v})
				}
				if !slices.Equal(all, model) || m.Len() != len(model) {
					t.Fatalf("has %v, %d in all; want %v", all, m.Len(), model)
				}
			},
		})
	})
}
