"""Environments: how a configuration becomes active. doc/spec/gate.md §6."""

from verify.document.json_text import ABSENT, Num
from verify.document.members import within
from verify.document.canonical import digest, without
from verify.df_verify_1.report import need
from verify.gate.gate import alike, count_in, gate_replay

STEP_STAGES = ("shadow", "canary", "active")
STEP_TERMS = ("suite", "rules", "shadow_samples", "canary_samples", "canary_percent", "most_different_percent")
STEP_POINTERS = ("active", "shadow", "canary", "since", "history")


def is_state(state):
    """Whether a value is a state of an environment."""
    return isinstance(state, dict) and len(state) == len(STEP_TERMS) + len(STEP_POINTERS) and \
        isinstance(state.get("active"), str) and isinstance(state.get("history"), list) and \
        all(isinstance(e, str) for e in state["history"]) and isinstance(state.get("suite"), str) and \
        isinstance(state.get("rules"), dict)


def candidate_of(state):
    """(the candidate or None, the number of its stage)."""
    for stage, key in ((2, "canary"), (1, "shadow")):
        if isinstance(state.get(key), str):
            return state[key], stage
    return None, 0


def moved(state, active, shadow, canary, since, history):
    """A state with other pointers."""
    return {**without(state, *STEP_POINTERS), "active": active, "shadow": shadow, "canary": canary,
            "since": since, "history": history}


def step_promoted(state, config, stage, revision):
    """The state after a configuration was promoted to a stage."""
    if stage == "active":
        return moved(state, config, None, None, None, state["history"] + [state["active"]])
    shadow, canary = (config, None) if stage == "shadow" else (None, config)
    return moved(state, state["active"], shadow, canary, revision, state["history"])


def step_back(state, is_tenants):
    """The state after a rollback; None if a tenant's own environment ends, ABSENT if there is nothing to go back to."""
    if candidate_of(state)[1]:
        return moved(state, state["active"], None, None, None, state["history"])
    if state["history"]:
        return moved(state, state["history"][-1], None, None, None, state["history"][:-1])
    return None if is_tenants else ABSENT


def samples_outcome(samples):
    """(outcome of the samples, its failures)."""
    required, counted, different, most = (count_in(samples, k) or 0 for k in
                                          ("required", "counted", "different", "most_different_percent"))
    if counted < required:
        return "inconclusive", ["samples %d < min %d" % (counted, required)]
    if different * 100 > most * counted:
        return "fail", ["%d of %d samples are decided differently > max %d%%" % (different, counted, most)]
    return "pass", []


def outcome_replay(step, state):
    """The outcome follows from the samples and the gate."""
    samples, gate, failures = step.get("samples"), step.get("gate", ABSENT), step.get("failures")
    need(isinstance(samples, dict) and isinstance(failures, list), "the samples or the failures are missing")
    outcome, expected = samples_outcome(samples)
    if outcome == "pass":
        need(isinstance(gate, dict) and isinstance(gate.get("failures"), list), "the samples are enough, and the gate was not asked")
        need(alike(step.get("outcome", ABSENT), gate.get("outcome", ABSENT)), "the outcome is not that of the gate")
        gate_replay(state, gate, step["config"])
        expected = gate["failures"]
    else:
        need(gate is None and step.get("outcome") == outcome, "the outcome does not follow from the samples")
    need(alike(failures, expected), "the failures are not those of the samples and the gate")


def promotion_replay(document, step, state):
    """Whether a candidate was promoted or refused follows from the outcome, and the state after from the step."""
    config, stage, samples = step.get("config"), step.get("stage"), step.get("samples", ABSENT)
    need(isinstance(config, str) and isinstance(stage, str), "the configuration or the stage is missing")
    candidate, place = candidate_of(state)
    following = STEP_STAGES[place] if candidate in (None, config) and (place or config != state["active"]) else None
    need(following is not None and stage == following, "the stage is not the next one")
    required = {"shadow": 0, "canary": count_in(state, "shadow_samples") or 0,
                "active": count_in(state, "canary_samples") or 0}[stage]
    for key, value in (("required", required), ("most_different_percent", count_in(state, "most_different_percent") or 0)):
        need(alike(within(samples, key), Num(str(value))), "the samples are not what the environment asks for")
    outcome_replay(step, state)
    refused = document["action"] == "refuse"
    need(refused != (step["outcome"] == "pass"), "what was done does not follow from the outcome")
    expected = state if refused else step_promoted(state, config, stage, Num(str(count_in(document, "revision") or 0)))
    need(alike(document["after"], expected), "the state after does not follow from the step")


def environment_replay(document):
    """The state after a step follows from the one before, and every configuration it names is in the document."""
    action, before, after = (document.get(key, ABSENT) for key in ("action", "before", "after"))
    step = document.get("step")
    state = within(step, "from")
    need(is_state(state) and (after is None or is_state(after)), "the state before or after is malformed")
    need(not isinstance(before, str) or before == digest(state), "the state before does not hash to its digest")
    if action in ("promote", "refuse"):
        promotion_replay(document, step, state)
    elif action == "set":
        need(all(alike(state.get(k, ABSENT), within(after, k)) for k in STEP_POINTERS),
             "what only a promotion or a rollback moves has moved")
    else:
        need(action == "rollback", "the action is none of set, promote, refuse and rollback")
        need(alike(after, step_back(state, isinstance(document.get("tenant"), str))),
             "the state after does not follow from the step")
    if after is not None:
        configs, named = document.get("configs"), [after[k] for k in STEP_POINTERS[:3] if isinstance(after.get(k), str)]
        for config in named:
            need(isinstance(configs, dict) and config in configs, "a configuration that it names is missing")
            need(config == "cfg_" + digest(configs[config])[7:23], "a configuration does not hash to its id")
        need(isinstance(configs, dict) and len(configs) == len(named), "there is a configuration that it does not name")
