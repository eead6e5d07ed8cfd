package world

// Snapshot is the world as it was at one moment. It stays valid, and the same,
// whatever happens afterwards.
type Snapshot struct {
	state  state
	limits Limits
}

// Snapshot keeps the state. Events that were passed to OnCommit are not part of it, so a delivery that is on its way
// continues.
func (w *World) Snapshot() Snapshot {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return Snapshot{state: w.state, limits: w.limits}
}

// Restore brings the state back. Ids, random parts and times continue from the present, because an app remembers what
// it has seen. To it, a record or an event with the id of another is a repetition.
func (w *World) Restore(s Snapshot) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.state
	w.state, w.limits = s.state, s.limits
	w.state.lastID, w.state.lastEvent = max(now.lastID, s.state.lastID), max(now.lastEvent, s.state.lastEvent)
	w.state.random = now.random
	if now.lastTime.After(s.state.lastTime) {
		w.state.lastTime = now.lastTime
	}
	w.searches.forget()
}

// Fork returns an independent world that begins as this one is now, on the same clock and without a receiver of its
// commits.
func (w *World) Fork() *World {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return &World{clock: w.clock, secrets: w.secrets, limits: w.limits, state: w.state}
}
