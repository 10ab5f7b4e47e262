/**
 * The statements of questions about plans, put together once for as long as they are asked again, and what was
 * answered last: where the database says the very same, the result is the very same too.
 */
import { LRUCache } from "lru-cache";
import type { Sql, Statement } from "../../database/database.js";
import type { Ulid } from "../plan.js";
import type { PlanNode, PlanPage, PlanPageRequest, PlanShape } from "../reading.js";
import { aggregateJson, raw, sql } from "./fragments.js";
import { versionText } from "./plan-version.js";
import { statementOf } from "./question.js";
import { Rounds } from "./rounds.js";
import {
  type BodyJson,
  type Moment,
  type NestedJson,
  type NodeJson,
  nodeJson,
  type PageJson,
  planPageJson,
  readNode,
  readPlanPage,
} from "./tree.js";

export interface PlanQuestion<Answer, Result extends object | null> {
  /** Asks which plans in which versions. */
  readonly versions: Statement;
  /** Asks for all of the plans. */
  readonly whole: () => Statement;
  /** The answers in which plans are. */
  readonly nested: (answer: Answer) => NestedJson;
  readonly result: (answer: Answer, moment: Moment) => Result;
  /** The last result, as long as the memory is not needed. */
  last?: WeakRef<Answered<Result>>;
}

export interface Answered<Result> {
  /** What the database said. */
  readonly text: string;
  readonly result: Result;
}

/** Answers a question about plans with as many statements as it takes. */
export type AskForPlans = <Told, Result extends object | null>(
  question: PlanQuestion<Told, Result>,
) => Promise<Result>;

type PlansById = ReadonlyMap<Ulid, PlanNode>;
type NodesById = Readonly<Record<Ulid, NodeJson>>;

/** How many pages are known; the statement of one takes some 10 KB. */
const MAX_PAGES = 256;

/** How many single plans are read with one statement at most: each may have long pages around it. */
const MAX_SINGLE = 16;

export class PlanQuestions {
  readonly #ask: AskForPlans;
  readonly #pages = new LRUCache<string, Rounds<null, PlanPage>>({ max: MAX_PAGES });
  readonly #single = new WeakMap<PlanShape, Rounds<Ulid, PlansById>>();
  readonly #shapeIds = new WeakMap<PlanShape, number>();
  #lastShapeId = 0;

  constructor(ask: AskForPlans) {
    this.#ask = ask;
  }

  page(request: PlanPageRequest): Promise<PlanPage> {
    const { shape, ...list } = request;
    const key = `${this.#idOf(shape)} ${JSON.stringify(list)}`;
    let rounds = this.#pages.get(key);
    if (rounds === undefined) {
      const question = pageQuestion(request);
      rounds = new Rounds(() => this.#ask(question));
      this.#pages.set(key, rounds);
    }
    return rounds.ask(null);
  }

  async single(id: Ulid, shape: PlanShape): Promise<PlanNode | null> {
    let rounds = this.#single.get(shape);
    if (rounds === undefined) {
      const statement = singleStatement(shape, versionText);
      rounds = new Rounds((ids) => this.#ask(singleQuestion([...ids], shape, statement)), MAX_SINGLE);
      this.#single.set(shape, rounds);
    }
    return (await rounds.ask(id)).get(id) ?? null;
  }

  #idOf(shape: PlanShape): number {
    let id = this.#shapeIds.get(shape);
    if (id === undefined) {
      this.#lastShapeId += 1;
      id = this.#lastShapeId;
      this.#shapeIds.set(shape, id);
    }
    return id;
  }
}

function pageQuestion(request: PlanPageRequest): PlanQuestion<PageJson<NodeJson>, PlanPage> {
  const statement = (body: BodyJson) =>
    statementOf(sql`SELECT ${planPageJson(request, null, body)}`, !filters(request));
  return {
    versions: statement(versionText),
    whole: () => statement(aggregateJson),
    nested: (answer) => [answer],
    result: (answer, moment) => readPlanPage(answer, request, moment),
  };
}

function singleQuestion(
  ids: readonly Ulid[],
  shape: PlanShape,
  versions: Statement,
): PlanQuestion<NodesById, PlansById> {
  const about = (statement: Statement) => ({ ...statement, values: statement.values.with(-1, ids) });
  return {
    versions: about(versions),
    whole: () => about(singleStatement(shape, aggregateJson)),
    nested: (answer) => Object.values(answer),
    result: (answer, moment) =>
      new Map(Object.entries(answer).map(([id, node]) => [id as Ulid, readNode(node, shape, moment)])),
  };
}

/** The statement about the plans whose ids are its last parameter. */
function singleStatement(shape: PlanShape, body: BodyJson): Statement {
  const plan: Sql = raw("p0");
  const question = sql`SELECT coalesce(json_object_agg(${plan}.id, ${nodeJson(plan, shape, body)}), '{}'::json)
    FROM plan ${plan} WHERE ${plan}.id = ANY(${[]}::text[])`;
  return statementOf(question, !filtersBelow(shape));
}

/** Whether the values of a filter decide how the database finds the plans. */
function filters({ filter, shape }: PlanPageRequest): boolean {
  return filter !== null || filtersBelow(shape);
}

function filtersBelow(shape: PlanShape): boolean {
  return [...shape.values()].some((read) => {
    if (read.kind === "events") return false;
    return read.kind === "children" ? filters(read.request) : filtersBelow(read.shape);
  });
}
