import type { z } from 'zod';
import type {
  apiPluginSchema,
  apiToolSchema,
  callListSchema,
  modelsSchema,
  pluginReloadSchema,
  statusSchema,
  whySchema,
} from '../api-schemas.ts';
import type {
  acceptedTurnSchema,
  answerApprovalSchema,
  answerFormSchema,
  apiSessionDetailSchema,
  apiSessionListSchema,
  apiSessionSchema,
  createSessionSchema,
  listSessionsQuerySchema,
  pendingApprovalSchema,
  pendingFormSchema,
  postMessageSchema,
} from '../api-session-schemas.ts';
import type { appPageSchema, appRequestSchema, handledUiActionSchema, postUiActionSchema } from '../ui-schemas.ts';

export type ApiSession = z.output<typeof apiSessionSchema>;
export type ApiSessionDetail = z.output<typeof apiSessionDetailSchema>;
export type ApiSessionList = z.output<typeof apiSessionListSchema>;
export type ApiTool = z.output<typeof apiToolSchema>;
export type ApiPlugin = z.output<typeof apiPluginSchema>;
export type ApiPluginReload = z.output<typeof pluginReloadSchema>;
export type ApiStatus = z.output<typeof statusSchema>;
export type ApiModels = z.output<typeof modelsSchema>;
export type ApiWhy = z.output<typeof whySchema>;
export type ApiCallList = z.output<typeof callListSchema>;
export type PendingApprovalOfApi = z.output<typeof pendingApprovalSchema>;
export type PendingFormOfApi = z.output<typeof pendingFormSchema>;
export type AcceptedTurn = z.output<typeof acceptedTurnSchema>;
export type CreateSession = z.input<typeof createSessionSchema>;
export type PostMessage = z.input<typeof postMessageSchema>;
export type AnswerApproval = z.input<typeof answerApprovalSchema>;
export type AnswerForm = z.input<typeof answerFormSchema>;
export type PostUiAction = z.input<typeof postUiActionSchema>;
export type AppPage = z.output<typeof appPageSchema>;
export type AppRequestOfApi = z.input<typeof appRequestSchema>;
export type HandledUiAction = z.output<typeof handledUiActionSchema>;
export type ListSessions = Omit<z.input<typeof listSessionsQuerySchema>, 'limit'> & { limit?: number };
