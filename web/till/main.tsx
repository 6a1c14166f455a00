import { Gate } from '../shared/gate.tsx';
import { startApp } from '../shared/start.tsx';
import { Frame, PageTitle } from '../shared/ui/frame.tsx';

await startApp({
  app: 'till',
  children: (
    <Gate title="till" lead="" admits={({ role }) => role === 'pos_operator'}>
      {({ email }) => (
        <Frame title="till" pages={[]}>
          <PageTitle>till</PageTitle>
          <p>{email}</p>
        </Frame>
      )}
    </Gate>
  ),
});
