package res_test

import (
	"net/http"
	"testing"

	"pgregory.net/rapid"
)

// branch is a category of the model: where it stands and whether somebody marked it
// hidden.
type branch struct {
	parent int64
	marked bool
}

// branches is the model of the categories of a store.
type branches map[int64]branch

// visibility follows from the marks on the way to the top.
func (m branches) visibility(id int64) string {
	if m[id].marked {
		return "hidden"
	}
	for up := m[id].parent; up != 0; up = m[up].parent {
		if m[up].marked {
			return "soft-hidden"
		}
	}
	return "visible"
}

func (m branches) below(id, above int64) bool {
	for ; id != 0; id = m[id].parent {
		if id == above {
			return true
		}
	}
	return false
}

// mark is the branch after somebody asked for a visibility, "" for none.
func (b branch) mark(visibility string) branch {
	if visibility == "hidden" || visibility == "visible" {
		b.marked = visibility == "hidden"
	}
	return b
}

func TestProofModelOfCategories(t *testing.T) {
	f := open(t)
	sequences(f, f.token, func(p *play) map[string]func(*rapid.T) {
		m := branches{}
		changed := map[int64][2]string{} // visibility and when it changed
		visibility := func(body object) string {
			v := pick(p, "visibility", "", "visible", "hidden", "soft-hidden")
			if v != "" {
				body["visibility"] = v
			}
			return v
		}
		one := func() int64 { return pick(p, "category", append(sorted(m), missing)...) }
		exists := func(id int64) bool { _, ok := m[id]; return ok || id == 0 }
		return map[string]func(*rapid.T){
			"create": func(*rapid.T) {
				p.tick()
				parent, body := pick(p, "parent", append(sorted(m), 0, missing)...), object{"name": "C"}
				if parent != 0 {
					body["parent"] = parent
				}
				v := visibility(body)
				refused := !exists(parent) || v == "soft-hidden"
				if made := p.want(status(refused, http.StatusCreated), "POST /categories", body); !refused {
					m[id(made)] = branch{parent: parent}.mark(v)
				}
			},
			"mark": func(*rapid.T) {
				p.tick()
				at, body := one(), object{}
				v := visibility(body)
				p.mark(m, at, path("PUT /categories/%d", at), body, m[at].parent, v)
			},
			"move": func(*rapid.T) {
				p.tick()
				at, to := one(), pick(p, "parent", append(sorted(m), 0, missing)...)
				body := object{"parent": to}
				if to == 0 {
					body["parent"] = nil
				}
				v := visibility(body)
				p.mark(m, at, path("PUT /categories/%d", at), body, to, v)
			},
			"delete": func(*rapid.T) {
				p.tick()
				at := one()
				call := path("DELETE /categories/%d", at)
				if at == missing {
					p.want(http.StatusNotFound, call, nil)
					return
				}
				p.want(http.StatusOK, call, nil)
				delete(m, at)
				for id, b := range m {
					if b.parent == at {
						m[id] = branch{marked: b.marked}
					}
				}
			},
			"": func(*rapid.T) { p.compareBranches(m, changed) },
		}
	})
}

// mark plays a change of a category's place, visibility or both.
func (p *play) mark(m branches, at int64, call string, body object, parent int64, visibility string) {
	if at == missing {
		p.want(http.StatusNotFound, call, body)
		return
	}
	_, exists := m[parent]
	// soft-hidden can be sent back where it is, but not set.
	refused := parent != 0 && (!exists || m.below(parent, at)) || visibility == "soft-hidden" && m.visibility(at) != visibility
	p.want(status(refused, http.StatusOK), call, body)
	if !refused {
		b := m[at].mark(visibility)
		b.parent = parent
		m[at] = b
	}
}

func (p *play) compareBranches(m branches, changed map[int64][2]string) {
	var list []struct {
		ID                  int64   `json:"id"`
		Parent              int64   `json:"parent"`
		Subcategories       []int64 `json:"subcategories"`
		Visibility          string  `json:"visibility"`
		VisibilityUpdatedAt string  `json:"visibility_updated_at"`
	}
	p.get("/categories?per_page=200", &list)
	p.equal("number of categories", len(list), len(m))
	children := map[int64][]int64{}
	for _, id := range sorted(m) {
		children[m[id].parent] = append(children[m[id].parent], id)
	}
	for _, c := range list {
		p.equal(path("parent of %d", c.ID), c.Parent, m[c.ID].parent)
		p.equal(path("visibility of %d", c.ID), c.Visibility, m.visibility(c.ID))
		p.equal(path("subcategories of %d", c.ID), c.Subcategories, append([]int64{}, children[c.ID]...))
		before, known := changed[c.ID]
		if known && (before[0] == c.Visibility) != (before[1] == c.VisibilityUpdatedAt) {
			p.Fatalf("category %d was %v and is %s since %s", c.ID, before, c.Visibility, c.VisibilityUpdatedAt)
		}
		changed[c.ID] = [2]string{c.Visibility, c.VisibilityUpdatedAt}
	}
}
