package carrier

// Reusable is how many answers are kept for reuse.
func (p *Platform) Reusable() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.answers)
}
