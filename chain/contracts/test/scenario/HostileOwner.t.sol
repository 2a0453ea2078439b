// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {Ballot, ballotOf, counted} from "../utils/Ballots.sol";
import {Books, Money} from "../utils/Books.sol";
import {cheats} from "../utils/Cheats.sol";
import {vm} from "../utils/Vm.sol";

/// @dev Attack: the owner becomes hostile: pauses, sets the highest fee, replaces all validators
/// with puppets under their own quorum, and transfers the ownership to an accomplice. The puppets
/// sign for any bribe. Defence: accepted tasks are unaffected: the fee and the panel are stored
/// with the task, its validators still decide, and no exit checks the pause. Both parties can leave
/// a posted task and, even if it was accepted under the puppets, until the submission. An agent
/// whose human colludes with the owner can lose that race; the timelock prevents this.
contract HostileOwnerTest is Books {
    enum State {
        Active,
        Submitted,
        DisputedByAgent,
        DisputedByHuman,
        Approved
    }

    /// @dev Sorted by address.
    uint256[3] private puppetKeys = [0xF1, 0xF2, 0xF3];

    function test_Active() external {
        _assertUnmoved(State.Active);
    }

    function test_Submitted() external {
        _assertUnmoved(State.Submitted);
    }

    function test_DisputedByAgent() external {
        _assertUnmoved(State.DisputedByAgent);
    }

    function test_DisputedByHuman() external {
        _assertUnmoved(State.DisputedByHuman);
    }

    function test_Approved() external {
        _assertUnmoved(State.Approved);
    }

    /// @dev For a posted task with an application, the agent can cancel and the human can withdraw.
    function test_PostedCanBeCancelled() external {
        uint256 taskId = _post();
        uint256 applicationId = _applyFor(taskId, human);
        Money memory books = _money();
        _attack();
        _stakingAs(human).withdrawStake(applicationId);
        _escrowAs(agent).cancelTask(taskId);
        _bookCancel(books);
        _assertMoney(books);
        _assertEmpty();
    }

    /// @dev The agent colludes and accepts the application under the puppets. The human notices the
    /// new panel, resigns and gets the stake back.
    function test_HumanResignsAfterAcceptanceUnderPuppets() external {
        uint256 taskId = _post();
        uint256 applicationId = _applyFor(taskId, human);
        Money memory books = _money();
        _attack();
        _accept(taskId, applicationId);
        vm.assertEq(escrow.panelOf(taskId), escrow.panel());
        vm.assertEq(escrow.getTask(taskId).feeBasisPoints, FEE);
        bytes[] memory puppets = _puppetVerdict(taskId, false);
        vm.expectRevert(_wrongStatus(taskId, IEscrow.Status.Active));
        _escrowAs(stranger).rejectSubmission(taskId, puppets);
        _escrowAs(human).cancelTask(taskId);
        _bookCancel(books);
        _assertMoney(books);
        _assertEmpty();
    }

    /// @dev Asserts that the views return the same task before and after the attack, that the
    /// puppets have no vote, and that every exit available in this status has the same effect.
    function _assertUnmoved(State state) private {
        uint256 taskId = _reach(state);
        bytes32 before = _read(taskId);
        _attack();
        vm.assertEq(_read(taskId), before, "the task changed");
        vm.assertTrue(escrow.paused());
        if (state == State.Active) return _assertActiveExits(taskId);
        _assertPuppetsPowerless(taskId, state);
        _assertVerdicts(taskId, state);
        _assertTimeOuts(taskId, state);
    }

    function _assertActiveExits(uint256 taskId) private {
        address[2] memory parties = [agent, human];
        for (uint256 i = 0; i < parties.length; ++i) {
            uint256 snapshot = cheats.snapshotState();
            Money memory books = _money();
            _escrowAs(parties[i]).cancelTask(taskId);
            _bookCancel(books);
            _assertMoney(books);
            cheats.revertToState(snapshot);
        }
        _escrowAs(human).submitTask(taskId, WORK);
        _assertPuppetsPowerless(taskId, State.Submitted);
        _assertVerdicts(taskId, State.Submitted);
        _assertTimeOuts(taskId, State.Submitted);
    }

    function _assertPuppetsPowerless(uint256 taskId, State state) private {
        uint256 snapshot = cheats.snapshotState();
        vm.warp(START + 24 hours);
        bytes memory notInPanel =
            abi.encodeWithSelector(IEscrow.NotAValidatorOfTask.selector, taskId, _puppet(0));
        bytes[] memory signatures = _puppetVerdict(taskId, true);
        bytes memory approve = abi.encodeCall(IEscrow.approveSubmission, (taskId, signatures));
        signatures = _puppetVerdict(taskId, false);
        bytes memory reject = abi.encodeCall(IEscrow.rejectSubmission, (taskId, signatures));
        _assertRefused(owner, address(escrow), approve, notInPanel);
        if (state == State.Approved) {
            notInPanel = abi.encodeWithSelector(IEscrow.AgentHasApproved.selector, taskId);
        }
        _assertRefused(owner, address(escrow), reject, notInPanel);
        cheats.revertToState(snapshot);
    }

    /// @dev Asserts that the original validators, although all removed, still decide with the
    /// original quorum.
    function _assertVerdicts(uint256 taskId, State state) private {
        for (uint256 i = 0; i < 2; ++i) {
            bool approving = i == 0;
            if (!approving && state == State.Approved) continue;
            uint256 snapshot = cheats.snapshotState();
            vm.warp(START + 24 hours);
            Money memory books = _money();
            bytes[] memory signatures = _verdict(taskId, approving);
            if (approving) escrow.approveSubmission(taskId, signatures);
            else escrow.rejectSubmission(taskId, signatures);
            if (approving) _bookRelease(books);
            else _bookRefund(books);
            _assertMoney(books);
            cheats.revertToState(snapshot);
        }
    }

    function _assertTimeOuts(uint256 taskId, State state) private {
        bool validatorsOwe = state == State.Approved || state == State.DisputedByAgent;
        uint256 settlesAt = validatorsOwe ? escrow.due(taskId) : START + 37 days;
        bytes memory settle = abi.encodeCall(IEscrow.settle, (taskId));
        _assertTimeOut(taskId, stranger, settle, settlesAt);
        bytes memory emergency = abi.encodeCall(IEscrow.emergencyRelease, (taskId));
        _assertTimeOut(taskId, human, emergency, START + 30 days);
    }

    function _assertTimeOut(uint256 taskId, address caller, bytes memory call, uint256 dueAt)
        private
    {
        uint256 snapshot = cheats.snapshotState();
        vm.warp(dueAt - 1);
        bytes memory notDue = abi.encodeWithSelector(IEscrow.NotDue.selector, taskId, dueAt);
        _assertRefused(caller, address(escrow), call, notDue);
        vm.warp(dueAt);
        Money memory books = _money();
        (bool success,) = _try(caller, address(escrow), call);
        vm.assertTrue(success, "the timeout failed");
        _bookRelease(books);
        _assertMoney(books);
        cheats.revertToState(snapshot);
    }

    /// @dev Makes every call by which an owner can change the escrow, except `unpause`.
    function _attack() private {
        address[] memory puppets = new address[](3);
        for (uint256 i = 0; i < 3; ++i) {
            puppets[i] = _puppet(i);
        }
        _escrowAs(owner).setPlatformFee(2000);
        _escrowAs(owner).changePanel(puppets, validators, 3);
        _escrowAs(owner).changePanel(new address[](0), new address[](0), 2);
        _escrowAs(owner).transferOwnership(stranger);
        _escrowAs(stranger).acceptOwnership();
        _escrowAs(stranger).pause();
    }

    function _reach(State state) private returns (uint256) {
        if (state == State.Active) return _active();
        if (state == State.Submitted) return _submitted();
        if (state == State.DisputedByAgent) return _disputed(agent);
        if (state == State.DisputedByHuman) return _disputed(human);
        return _approved();
    }

    /// @dev Returns the hash of the complete task as returned by the views.
    function _read(uint256 taskId) private view returns (bytes32) {
        uint256 panelNumber = escrow.panelOf(taskId);
        return keccak256(
            abi.encode(
                escrow.getTask(taskId),
                escrow.due(taskId),
                escrow.workHash(taskId),
                escrow.disputedBy(taskId),
                panelNumber,
                escrow.quorumOf(panelNumber),
                escrow.validatorCountOf(panelNumber),
                escrow.validatorIn(validators[0], panelNumber),
                escrow.validatorIn(_puppet(0), panelNumber),
                staking.getStake(escrow.getTask(taskId).applicationId)
            )
        );
    }

    function _puppetVerdict(uint256 taskId, bool approving) private view returns (bytes[] memory) {
        bytes32 digest = escrow.verdictDigest(taskId, approving);
        Ballot[] memory ballots = new Ballot[](3);
        for (uint256 i = 0; i < 3; ++i) {
            ballots[i] = ballotOf(puppetKeys[i], digest);
        }
        return counted(ballots);
    }

    function _puppet(uint256 i) private view returns (address) {
        return vm.addr(puppetKeys[i]);
    }
}
