/** What the playground shows at first: tabs that work in their order on an empty database. */

interface Tab {
  readonly query: string;
  readonly variables?: object;
}

/** A workflow plan with all that it must have; docs/workflow-plans.md has the format. */
const document = {
  json: {
    workflow: "review",
    workflow_description: "Look through the changes.",
    agent: "codex",
    task_id: null,
    modes: [],
    handoff: false,
    items: [
      {
        id: "look",
        position: 1,
        name: "Look through the changes",
        operation: { type: "action", identifier: "prompt", payload: { text: "Say what you would change." } },
        owner: "agent",
        execution: "agent_instruction",
        requires_agent_input: false,
        workflow: "review",
        step: "look",
        phase: "step",
        source: "step",
        step_ordinals: [1],
      },
    ],
  },
};

const tabs: readonly Tab[] = [
  {
    query: `# 1. Make a plan. Run it with the button, or with Ctrl-Enter.
mutation MakeAPlan {
  createPlan(
    input: {
      actionName: "local/code-review"
      description: "Look through the open changes of the web shop"
      projectLinks: [{ projectName: "local/web-shop", alias: "shop" }]
      invariants: [{ text: "The public API stays as it is" }]
      arguments: { depth: "thorough", maxFindings: 20 }
      tags: ["try-it"]
    }
  ) {
    ... on CommandSuccess {
      cursor
      plan {
        id
        name
        phase
        state
      }
    }
    ... on Refusal {
      code
      message
    }
    ... on InvalidInput {
      issues {
        path
        code
        message
      }
    }
  }
}
`,
  },
  {
    query: `# 2. List plans with all that belongs to them.
# The database is asked twice at most, however deep.
query ListPlans {
  plans(first: 10) {
    totalCount
    asOf
    edges {
      node {
        id
        name
        phase
        state
        version
        phases {
          phase
          status
          attempts
        }
        effectiveInvariants {
          invariant {
            text
            scope
          }
        }
        availableActions {
          command
          allowed
          blockers {
            message
          }
        }
        children {
          edges {
            node {
              name
              state
            }
          }
        }
      }
    }
  }
}
`,
  },
  {
    query: `# 3. Follow what happens. Open the playground in a second window,
# run this there, and go on to the next tab here.
subscription FollowPlans {
  planEvents {
    __typename
    ... on PlanEventItem {
      cursor
      event {
        seq
        type
        at
        actor
        automatic
        from {
          phase
          state
        }
        to {
          phase
          state
        }
      }
      plan {
        name
      }
    }
    ... on FeedCheckpoint {
      cursor
    }
  }
}
`,
  },
  {
    query: `# 4. Move a plan. Put its id from tab 1 or 2 in the variables below.
# Then run StartPhase, CompletePhase and AdvanceToExecute in turn:
# the button lets you choose.
mutation StartPhase($id: ULID!) {
  startPhase(input: { planId: $id }) {
    ...Moved
    ...Refused
  }
}

mutation CompletePhase($id: ULID!) {
  completePhase(input: { planId: $id, note: "done by hand" }) {
    ...Moved
    ...Refused
  }
}

mutation AdvanceToExecute($id: ULID!) {
  advancePlan(input: { planId: $id, to: EXECUTE }) {
    ...Moved
    ...Refused
  }
}

fragment Moved on CommandSuccess {
  plan {
    phase
    state
    version
  }
}

fragment Refused on Refusal {
  code
  message
  ... on TransitionRejected {
    blockers {
      code
      message
    }
  }
  ... on InvalidInput {
    issues {
      path
      message
    }
  }
}
`,
    variables: { id: "" },
  },
  {
    query: `# 5. How many plans there are, and the tables by which they move.
query Overview {
  planCounts {
    total
    byPhaseAndState {
      phase
      state
      count
    }
  }
  lifecycle {
    phaseMoves {
      from
      to
      entersAs
    }
    stateMoves {
      command
      from
      to
    }
  }
}
`,
  },
  {
    query: `# 6. What a plan's work consists of: check a workflow plan,
# then freeze it on a plan in STRATEGIZE, and read its items.
# Make one in tab 1, and put its id in the variables below.
query CheckWorkflow($document: WorkflowPlanDocument!) {
  validateWorkflowPlan(document: $document) {
    valid
    freezable
    issues {
      path
      code
      message
    }
  }
}

mutation FreezeWorkflow($id: ULID!, $document: WorkflowPlanDocument!) {
  freezeWorkflowPlan(input: { planId: $id, document: $document }) {
    ... on CommandSuccess {
      plan {
        workflowPlan {
          revision
          digest
          items(first: 10) {
            edges {
              node {
                position
                name
                owner
              }
            }
          }
        }
      }
    }
    ... on Refusal {
      code
      message
    }
  }
}
`,
    variables: { id: "", document },
  },
];

export const playground = {
  title: "Phaseline",
  tabs: tabs.map(({ query, variables }) => ({
    query,
    ...(variables === undefined ? {} : { variables: JSON.stringify(variables, null, 2) }),
  })),
};
