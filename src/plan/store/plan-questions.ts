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

export type PageQuestion = PlanQuestion<PageJson<NodeJson>, PlanPage>;
export type SingleQuestion = PlanQuestion<NodeJson | null, PlanNode | null>;

/** How many pages are known; the statement of one takes some 10 KB. */
const MAX_PAGES = 256;

export class PlanQuestions {
  readonly #pages = new LRUCache<string, PageQuestion>({ max: MAX_PAGES });
  readonly #single = new WeakMap<PlanShape, Statement>();
  readonly #shapeIds = new WeakMap<PlanShape, number>();
  #lastShapeId = 0;

  page(request: PlanPageRequest): PageQuestion {
    const { shape, ...list } = request;
    const key = `${this.#idOf(shape)} ${JSON.stringify(list)}`;
    let question = this.#pages.get(key);
    if (question === undefined) {
      const statement = (body: BodyJson) =>
        statementOf(sql`SELECT ${planPageJson(request, null, body)}`, !filters(request));
      question = {
        versions: statement(versionText),
        whole: () => statement(aggregateJson),
        nested: (answer) => [answer],
        result: (answer, moment) => readPlanPage(answer, request, moment),
      };
      this.#pages.set(key, question);
    }
    return question;
  }

  single(id: Ulid, shape: PlanShape): SingleQuestion {
    let statement = this.#single.get(shape);
    if (statement === undefined) {
      statement = singleStatement(id, shape, versionText);
      this.#single.set(shape, statement);
    }
    return {
      // The id is the last parameter.
      versions: { ...statement, values: statement.values.with(-1, id) },
      whole: () => singleStatement(id, shape, aggregateJson),
      nested: (answer) => [answer],
      result: (answer, moment) => (answer === null ? null : readNode(answer, shape, moment)),
    };
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

function singleStatement(id: Ulid, shape: PlanShape, body: BodyJson): Statement {
  const plan: Sql = raw("p0");
  const question = sql`SELECT ${nodeJson(plan, shape, body)} FROM plan ${plan} WHERE ${plan}.id = ${id}`;
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
