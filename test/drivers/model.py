"""A scripted model: it answers the expected requests."""
import json


def ask(instruction, text):
    data = json.loads(text)
    if "passages" in data:
        return json.dumps({"answer": "Employees have 28 days of vacation [1].", "citations": ["leave#p0"]})
    if instruction.startswith("Does B say"):
        return json.dumps({"relation": "supports" if "28 days" in data["A"] and "28 days" in data["B"] else "neutral", "score": 0.9})
    if instruction.startswith("Does the passage"):
        return json.dumps({"relation": "answers" if "28 days" in data["B"] else "does_not", "score": 0.9})
    return json.dumps({"relation": "neutral", "score": 0.9})
