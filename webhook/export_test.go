package webhook

// RestartProcess makes the next lease the first one of a process.
func RestartProcess() {
	process.mu.Lock()
	defer process.mu.Unlock()
	process.window = 0
}
