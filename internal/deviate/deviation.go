package deviate

import (
	"math/rand/v2"
	"net/http"
	"slices"
)

// Deviation is one form that responses may take without a change of their meaning. All returns the table.
type Deviation struct {
	Name string
	// Group names a property of the response that one deviation at a time can change. It is empty if the deviation goes
	// together with every other one.
	Group string
	// Without names groups that cannot be combined with the deviation, because both together have another meaning.
	Without []string
	// HidesTotal is set if the number of records of a list is not known any more. Then Page.Total is -1.
	HidesTotal bool
	// Unreadable is set if lists get items that no client can read. They are reported, and cost nothing else.
	Unreadable bool
	// HidesTime is set if the time of the platform is not known any more.
	HidesTime bool
	// AddsMembers is set if records get members that no documentation has. They are in Extra.
	AddsMembers bool
	// Lists is set if the deviation is about lists. Then all ways to read a list are worth a test.
	Lists bool
	// Steady is set if all pages of a list must deviate in the same way.
	Steady bool

	// ask changes a request before it is sent. It returns false if the deviation does not apply to the request.
	ask func(q *http.Request) bool
	// change changes a response, and returns in how many places.
	change func(a *answer, r *rand.Rand) int
}

// All returns every deviation, in the order in which they are applied.
func All() []Deviation {
	lists := slices.Concat(pages(), totals(), links())
	for i := range lists {
		lists[i].Lists = true
	}
	return slices.Concat(lists, scalars(), times(), structure(), texts(), headers(), connections())
}

// Named returns the deviations with the names; false if one does not exist.
func Named(names ...string) ([]Deviation, bool) {
	var rows []Deviation
	for _, d := range All() {
		if slices.Contains(names, d.Name) {
			rows = append(rows, d)
		}
	}
	return rows, len(rows) == len(names)
}

// Pick returns n deviations that can be combined, chosen by r, in the order of All. Only deviations that pass the
// filter are chosen.
func Pick(r *rand.Rand, n int, filter func(Deviation) bool) []Deviation {
	all := All()
	var chosen []int
	for _, i := range r.Perm(len(all)) {
		if len(chosen) == n {
			break
		}
		fits := filter == nil || filter(all[i])
		for _, c := range chosen {
			fits = fits && all[i].goesWith(all[c])
		}
		if fits {
			chosen = append(chosen, i)
		}
	}
	slices.Sort(chosen)
	rows := make([]Deviation, 0, n)
	for _, i := range chosen {
		rows = append(rows, all[i])
	}
	return rows
}

// Invisible reports whether a client returns exactly what it returns without the deviation.
func (d Deviation) Invisible() bool {
	return !d.HidesTotal && !d.Unreadable && !d.HidesTime && !d.AddsMembers
}

// Packs returns all deviations in sets of at most n that can be combined, each deviation in one of them. The seed
// decides which are together.
func Packs(seed uint64, n int) (packs [][]Deviation) {
	all := All()
	order := rand.New(rand.NewPCG(seed, 1)).Perm(len(all))
	if n == 1 {
		slices.Sort(order)
	}
	for _, i := range order {
		at := slices.IndexFunc(packs, func(pack []Deviation) bool {
			return len(pack) < n && !slices.ContainsFunc(pack, func(o Deviation) bool { return !all[i].goesWith(o) })
		})
		if at < 0 {
			at, packs = len(packs), append(packs, nil)
		}
		packs[at] = append(packs[at], all[i])
	}
	for _, pack := range packs {
		slices.SortFunc(pack, func(a, b Deviation) int { return position(all, a) - position(all, b) })
	}
	return packs
}

func position(all []Deviation, d Deviation) int {
	return slices.IndexFunc(all, func(o Deviation) bool { return o.Name == d.Name })
}

// Compatible reports whether the deviations can be combined.
func Compatible(rows ...Deviation) bool {
	for i, d := range rows {
		for _, o := range rows[:i] {
			if !d.goesWith(o) {
				return false
			}
		}
	}
	return true
}

func (d Deviation) goesWith(o Deviation) bool {
	return (d.Group == "" || d.Group != o.Group) && !slices.Contains(d.Without, o.Group) && !slices.Contains(o.Without, d.Group)
}
