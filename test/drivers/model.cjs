// A scripted model: it answers the expected requests.
exports.ask = async (instruction, text) => {
	const data = JSON.parse(text);
	if (data.passages) return JSON.stringify({ answer: 'Employees have 28 days of vacation [1].', citations: ['leave#p0'] });
	if (instruction.startsWith('Does B say')) {
		return JSON.stringify({ relation: data.A.includes('28 days') && data.B.includes('28 days') ? 'supports' : 'neutral', score: 0.9 });
	}
	if (instruction.startsWith('Does the passage')) {
		return JSON.stringify({ relation: data.B.includes('28 days') ? 'answers' : 'does_not', score: 0.9 });
	}
	return JSON.stringify({ relation: 'neutral', score: 0.9 });
};
