package postgres

// statements are the statements of an inbox, written for its schema.
type statements struct {
	accept, present, count                    string
	lease, receive, confirm, heal             string
	extend, commit, settle                    string
	next, markTurns, lookThrough, position    string
	stats, dead, replay, purge, mark, setMark string
	prune, deadOf, purgeDied, dropStore       string
	replayListed, countDead, trim             string
}

func newStatements(o Options) statements {
	return statements{
		accept: o.in(acceptSQL), present: o.in(presentSQL), count: o.in(countSQL),
		lease: o.in(leaseSQL), receive: o.in(receiveSQL), confirm: o.in(confirmSQL), heal: o.in(healSQL),
		extend: o.in(extendSQL), commit: o.in(commitSQL), settle: o.in(settleSQL),
		next: o.in(nextSQL), markTurns: o.in(markTurnsSQL), lookThrough: o.in(lookThroughSQL),
		position: o.in(positionSQL),
		stats:    o.in(statsSQL), dead: o.in(deadSQL), replay: o.in(replaySQL), purge: o.in(purgeSQL),
		mark: o.in(markSQL), setMark: o.in(setMarkSQL),
		prune: o.in(pruneSQL), deadOf: o.in(deadOfSQL), purgeDied: o.in(purgeDiedSQL), dropStore: o.in(dropStoreSQL),
		replayListed: o.in(replayListedSQL), countDead: o.in(countDeadSQL), trim: o.in(trimSQL),
	}
}
