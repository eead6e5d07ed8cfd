package res_test

import (
	"maps"
	"net/http"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// site is a location of the model.
type site struct {
	id       string
	priority int
}

// sites is the model of the locations of a store, the default one first, and of the
// stock of a variant at them; without any level it is unlimited.
type sites struct {
	*play
	list   []site
	levels map[string]int
	// variants is the path of the variants of the product, stock that of the variant.
	variants, stock string
}

// nowhere is a location that no store has.
const nowhere = "01HZZZZZZZZZZZZZZZZZZZZZZZ"

func (m *sites) ids() (out []string) {
	for _, l := range m.list {
		out = append(out, l.id)
	}
	return out
}

func (m *sites) one() string { return pick(m.play, "location", append(m.ids(), nowhere)...) }

// arrange gives each location the priority of its place.
func (m *sites) arrange() {
	for i := range m.list {
		m.list[i].priority = i
	}
}

func (m *sites) create(*rapid.T) {
	last := m.list[len(m.list)-1].priority
	made := m.want(http.StatusCreated, "POST /locations", place("L", object{"is_default": pick(m.play, "is_default", true, false)}))
	m.list = append(m.list, site{ulid(made), last + 1})
}

func (m *sites) remove(*rapid.T) {
	at := m.one()
	_, stocked := m.levels[at]
	i := slices.Index(m.ids(), at)
	switch call := "DELETE /locations/" + at; {
	case i < 0:
		m.want(http.StatusNotFound, call, nil)
	case i == 0 || stocked:
		m.want(http.StatusUnprocessableEntity, call, nil)
	default:
		m.want(http.StatusNoContent, call, nil)
		m.list = slices.Delete(slices.Clone(m.list), i, i+1)
		m.arrange()
	}
}

func (m *sites) makeDefault(*rapid.T) {
	at := m.one()
	i := slices.Index(m.ids(), at)
	switch call := "PATCH /locations/" + at + "/chosen-as-default"; i {
	case -1:
		m.want(http.StatusNotFound, call, nil)
	case 0:
		m.want(http.StatusUnprocessableEntity, call, nil)
	default:
		m.want(http.StatusOK, call, nil)
		chosen := m.list[i]
		m.list = slices.Insert(slices.Delete(slices.Clone(m.list), i, i+1), 0, chosen)
		m.arrange()
	}
}

// prioritize sends priorities: mostly a permutation with gaps, sometimes one that
// leaves a location out, repeats something or has no default.
func (m *sites) prioritize(t *rapid.T) {
	order := rapid.Permutation(m.ids()).Draw(t, "order")
	switch pick(m.play, "fault", "", "", "", "left out", "repeated", "unknown") {
	case "left out":
		order = order[1:]
	case "repeated":
		order = append(order, order[0])
	case "unknown":
		order = append(order, nowhere)
	}
	sent, body, priority := map[string]int{}, array{}, pick(m.play, "first", 0, 0, 0, 1, -1)
	refused := len(order) == 0
	for i, at := range order {
		if i > 0 {
			priority += pick(m.play, "step", 1, 1, 2, 5, 0)
		}
		refused = refused || priority < 0 || slices.Contains(slices.Collect(maps.Values(sent)), priority)
		sent[at] = priority
		body = append(body, object{"id": at, "priority": priority})
	}
	_, strange := sent[nowhere]
	refused = refused || strange || len(order) != len(sent) || len(sent) != len(m.list) || sent[order[0]] != 0
	m.want(status(refused, http.StatusOK), "PATCH /locations/priorities", body)
	if refused {
		return
	}
	m.list = nil
	for _, at := range order {
		m.list = append(m.list, site{at, sent[at]})
	}
}

// move sets the stock of the variant: at locations, at the first one because none is
// named, or to unlimited.
func (m *sites) move(t *rapid.T) {
	switch n := rapid.IntRange(-1, 9).Draw(t, "stock"); pick(m.play, "way", "stock", "unlimited", "levels", "levels", "variation") {
	case "unlimited":
		m.want(http.StatusOK, "PUT "+m.stock, object{"stock": nil})
		clear(m.levels)
	case "stock":
		m.want(status(n < 0, http.StatusOK), "PUT "+m.stock, object{"stock": n})
		if n >= 0 {
			m.levels[m.list[0].id] = n
		}
	case "variation":
		at, by := m.one(), rapid.IntRange(-4, 4).Draw(t, "by")
		m.want(status(at == nowhere, http.StatusOK), "POST "+m.variants+"/stock", object{"action": "variation", "value": by, "location_id": at})
		if at != nowhere && len(m.levels) > 0 {
			m.levels[at] = max(m.levels[at]+by, 0)
		}
	case "levels":
		next, list, refused := maps.Clone(m.levels), array{}, false
		for range rapid.IntRange(1, 3).Draw(t, "levels") {
			at, level := pick(m.play, "location", append(m.ids(), "", nowhere)...), object{"stock": n}
			if at != "" {
				level["location_id"] = at
			} else {
				at = m.list[0].id
			}
			refused = refused || at == nowhere || n < 0
			next[at] = n
			list = append(list, level)
		}
		m.want(status(refused, http.StatusOK), "PUT "+m.stock, object{"inventory_levels": list, "stock": 1000})
		if !refused {
			m.levels = next
		}
	}
}

func (m *sites) compare(*rapid.T) {
	var locations []struct {
		ID        string `json:"id"`
		Priority  int    `json:"priority"`
		IsDefault bool   `json:"is_default"`
	}
	m.get("/locations", &locations)
	var got []site
	for i, l := range locations {
		got = append(got, site{l.ID, l.Priority})
		m.equal("default of "+l.ID, l.IsDefault, i == 0)
	}
	m.equal("locations", got, m.list)

	var variant struct {
		Stock  *int `json:"stock"`
		Levels []struct {
			LocationID string `json:"location_id"`
			Stock      int    `json:"stock"`
		} `json:"inventory_levels"`
	}
	m.get(m.stock, &variant)
	levels, sum := map[string]int{}, 0
	for _, l := range variant.Levels {
		levels[l.LocationID] = l.Stock
		sum += l.Stock
	}
	m.equal("levels", levels, m.levels)
	m.equal("unlimited", variant.Stock == nil, len(m.levels) == 0)
	if variant.Stock != nil {
		m.equal("stock", *variant.Stock, sum)
	}
}

func TestProofModelOfLocations(t *testing.T) {
	f := open(t)
	first := ulid(at(f.do("GET /locations", nil), "0"))
	product := f.sized("P", "S")
	variants := path("/products/%d/variants", id(product))
	stock := path("%s/%d", variants, id(product, "variants.0"))
	sequences(f, f.token, func(p *play) map[string]func(*rapid.T) {
		m := &sites{play: p, list: []site{{first, 0}}, levels: map[string]int{first: 5}, variants: variants, stock: stock}
		return map[string]func(*rapid.T){"create": m.create, "remove": m.remove, "make default": m.makeDefault, "prioritize": m.prioritize, "move stock": m.move, "": m.compare}
	})
}
