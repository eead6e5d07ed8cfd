package hostile

import (
	"fmt"
	"maps"
	"slices"
)

// Differences compares two decoded JSON documents. It returns a line for each member or item that differs, with its
// path and both values.
func Differences(got, want any) []string {
	return differences("", got, want)
}

func differences(path string, got, want any) (all []string) {
	switch want := want.(type) {
	case map[string]any:
		object, ok := got.(map[string]any)
		if !ok {
			break
		}
		names := slices.Collect(maps.Keys(object))
		for name := range want {
			if _, ok := object[name]; !ok {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		for _, name := range names {
			at := path + "/" + name
			is, here := object[name]
			was, there := want[name]
			switch {
			case !here:
				all = append(all, fmt.Sprintf("%s: missing, want %s", at, shown(was)))
			case !there:
				all = append(all, fmt.Sprintf("%s: got %s, want none", at, shown(is)))
			default:
				all = append(all, differences(at, is, was)...)
			}
		}
		return all
	case []any:
		list, ok := got.([]any)
		if !ok || len(list) != len(want) {
			break
		}
		for i := range want {
			all = append(all, differences(fmt.Sprintf("%s/%d", path, i), list[i], want[i])...)
		}
		return all
	default:
		if got == want { // scalars; a list or an object in got has another type
			return nil
		}
	}
	return []string{fmt.Sprintf("%s: got %s, want %s", path, shown(got), shown(want))}
}

// shown returns a value as JSON, shortened.
func shown(v any) string {
	switch v := v.(type) {
	case map[string]any:
		return fmt.Sprintf("an object of %d members", len(v))
	case []any:
		return fmt.Sprintf("a list of %d", len(v))
	case nil:
		return "null"
	case string:
		return fmt.Sprintf("%.200q", v)
	}
	return fmt.Sprint(v)
}
