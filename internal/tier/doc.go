// Package tier is for tests. It selects the size of a proof by the command that runs it.
//
// A proof kills processes, cuts the power or tries random schedules, and finds more the longer it runs. [Size] returns
// its number of steps, kills or seeds: few for make test, which everyone runs, more for make prove, which each change
// must pass, and all for make soak, which takes hours. The name of such a test contains "Proof", because make prove and
// make soak find it by its name. Child processes of a test have the same tier.
package tier
