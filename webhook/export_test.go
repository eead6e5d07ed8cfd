package webhook

// RestartProcess forgets what the process knows of earlier runs, as the next process does.
func RestartProcess() {
	process.mu.Lock()
	defer process.mu.Unlock()
	process.window = 0
	survived.mu.Lock()
	defer survived.mu.Unlock()
	survived.runs = nil
}
