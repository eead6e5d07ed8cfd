package tables

import (
	"fmt"
	"io/fs"
)

// Step is a migration, which brings tables to the next version. It may be applied repeatedly.
type Step struct {
	Name   string // of its file
	Script string
	// CompatibleFrom is the version of the oldest release that may use the tables after the step. Processes of that
	// release may run at the same time as processes of this one. The first line of the script is "-- compatible from
	// 1".
	CompatibleFrom int
}

// Steps returns the steps in the files migrations/*.sql. The nth makes version n.
func Steps(files fs.FS) ([]Step, error) {
	names, err := fs.Glob(files, "migrations/*.sql")
	if err != nil {
		return nil, err
	}
	var all []Step
	for n, name := range names {
		script, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		s := Step{Name: name, Script: string(script)}
		_, err = fmt.Sscanf(s.Script, "-- compatible from %d\n", &s.CompatibleFrom)
		if err != nil || s.CompatibleFrom < 1 || s.CompatibleFrom > n+1 {
			return nil, fmt.Errorf("%s: the first line must be like -- compatible from %d", name, n+1)
		}
		all = append(all, s)
	}
	return all, nil
}
