// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ApplicationStaking} from "../../src/ApplicationStaking.sol";
import {Escrow} from "../../src/Escrow.sol";
import {IApplicationStaking} from "../../src/interfaces/IApplicationStaking.sol";
import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {OddToken} from "../utils/Tokens.sol";
import {Vm, bound, vm} from "../utils/Vm.sol";

/// @dev Does at random what anybody may do, mostly where it is possible, keeps its own books from what was asked and from the
/// events, and never from the contracts' storage. A call that the rules forbid is refused by the
/// contract and counted; that the refusals are right is what the unit tests show.
contract Handler {
    struct Book {
        uint256 deposited;
        uint256 paid;
        uint256 refunded;
        uint256 fee;
        uint16 feeBasisPoints;
        uint8 ends;
    }

    Escrow private immutable escrow;
    ApplicationStaking private immutable staking;
    OddToken private immutable token;
    address private immutable owner;
    uint256[] private validatorKeys;
    address[3] private agents;
    address[4] private humans;

    mapping(uint256 taskId => Book) public books;
    mapping(bytes4 selector => uint256) public done;
    mapping(uint256 taskId => uint8) public lastStatus;
    uint256 public applications;
    uint256 public donatedToEscrow;
    uint256 public donatedToStaking;
    uint256 public illegalSteps;
    uint256 public reopened;

    constructor(Escrow escrow_, OddToken token_, address owner_, uint256[] memory keys) {
        (escrow, token, owner, validatorKeys) = (escrow_, token_, owner_, keys);
        staking = ApplicationStaking(address(escrow_.applicationStaking()));
        for (uint160 i = 0; i < 3; ++i) {
            agents[i] = address(0xA000 + i);
        }
        for (uint160 i = 0; i < 4; ++i) {
            humans[i] = address(0xB000 + i);
        }
    }

    function actors() external view returns (address[] memory all) {
        all = new address[](7);
        for (uint256 i = 0; i < 3; ++i) {
            all[i] = agents[i];
        }
        for (uint256 i = 0; i < 4; ++i) {
            all[3 + i] = humans[i];
        }
    }

    function post(uint256 who, uint256 amount) external {
        amount = bound(amount, 0.01 ether, 1000 ether);
        uint16 fee = escrow.platformFeeBasisPoints();
        _try(_agent(who), abi.encodeCall(escrow.postTask, (amount, fee, 0)));
    }

    function apply_(uint256 who, uint256 task) external {
        uint256 taskId = _task(task, 1, 1);
        uint256 stake = staking.requiredStake(taskId);
        bytes memory call = abi.encodeCall(staking.lockApplicationStake, (taskId, stake));
        if (_try(address(staking), _human(who), call)) ++applications;
    }

    function withdraw(uint256 who, uint256 application) external {
        bytes memory call = abi.encodeCall(staking.withdrawStake, (_application(application)));
        _try(address(staking), _human(who), call);
    }

    function reject(uint256 application) external {
        uint256 applicationId = _application(application);
        address agent = staking.getStakeIntendedAgent(applicationId);
        bytes memory call = abi.encodeCall(staking.rejectApplication, (applicationId));
        _try(address(staking), agent, call);
    }

    function accept(uint256 application) external {
        uint256 applicationId = _application(application);
        uint256 taskId = staking.getStakeTask(applicationId);
        address agent = staking.getStakeIntendedAgent(applicationId);
        _try(agent, abi.encodeCall(escrow.acceptApplicationForTask, (taskId, applicationId)));
    }

    function submit(uint256 task) external {
        uint256 taskId = _task(task, 2, 2);
        _try(
            escrow.getTask(taskId).human,
            abi.encodeCall(escrow.submitTask, (taskId, keccak256("work")))
        );
    }

    function approve(uint256 task) external {
        uint256 taskId = _task(task, 3, 4);
        _try(escrow.getTask(taskId).agent, abi.encodeCall(escrow.agentApproveTask, (taskId)));
    }

    function dispute(uint256 task, bool byAgent) external {
        uint256 taskId = _task(task, 3, 3);
        _try(_party(taskId, byAgent), abi.encodeCall(escrow.disputeTask, (taskId)));
    }

    /// @dev One time in four, or few tasks would get any further.
    function cancel(uint256 task, bool byAgent) external {
        if (task % 4 != 0) return;
        uint256 taskId = _task(task / 4, 1, 2);
        _try(_party(taskId, byAgent), abi.encodeCall(escrow.cancelTask, (taskId)));
    }

    function rule(uint256 task, bool approved) external {
        uint256 taskId = _task(task, 3, 4);
        _wait(taskId, task / 64);
        bool hadVerdict = _rulable(taskId, approved);
        bool hadTimeOut = _settleable(taskId);
        if (hadVerdict && hadTimeOut) ++illegalSteps;
        bytes[] memory signatures = _signatures(taskId, approved);
        bytes memory call = approved
            ? abi.encodeCall(escrow.approveSubmission, (taskId, signatures))
            : abi.encodeCall(escrow.rejectSubmission, (taskId, signatures));
        if (_try(address(this), call) != hadVerdict) ++illegalSteps;
    }

    function settle(uint256 task) external {
        uint256 taskId = _task(task, 3, 4);
        _wait(taskId, task / 64);
        bool hadTimeOut = _settleable(taskId);
        if (_try(address(this), abi.encodeCall(escrow.settle, (taskId))) && !hadTimeOut) {
            ++illegalSteps;
        }
    }

    function emergency(uint256 task) external {
        uint256 taskId = _task(task, 3, 4);
        _wait(taskId, task / 64);
        _try(escrow.getTask(taskId).human, abi.encodeCall(escrow.emergencyRelease, (taskId)));
    }

    function withdrawCredit(uint256 who) external {
        address account = who % 2 == 0 ? _agent(who / 2) : _human(who / 2);
        bool ofEscrow = escrow.withdrawable(account) > 0;
        address target = ofEscrow ? address(escrow) : address(staking);
        _try(target, address(this), abi.encodeCall(escrow.withdrawCredit, (account)));
    }

    function donate(uint96 amount, bool toEscrow) external {
        amount = uint96(bound(amount, 0, 1 ether));
        token.transfer(toEscrow ? address(escrow) : address(staking), amount);
        if (toEscrow) donatedToEscrow += amount;
        else donatedToStaking += amount;
    }

    function refusePayee(uint256 who) external {
        bool none = who % 3 == 0;
        token.misbehave(
            none ? OddToken.Fault.None : OddToken.Fault.RefusesPayee,
            none ? address(0) : who % 2 == 0 ? _agent(who) : _human(who)
        );
    }

    function administer(uint16 fee, bool paused) external {
        fee = uint16(bound(fee, 0, 2000));
        _try(owner, abi.encodeCall(escrow.setPlatformFee, (fee)));
        if (paused && fee % 4 == 0) _try(owner, abi.encodeCall(escrow.pause, ()));
        else _try(owner, abi.encodeCall(escrow.unpause, ()));
    }

    /// @dev Mostly less than a window, sometimes past one, rarely past them all.
    function pass(uint256 time) external {
        uint256[6] memory spans =
            [uint256(1), 1 hours, 12 hours, 24 hours, 73 hours, time / 64 % 38 days + 1];
        vm.warp(block.timestamp + (time % 16 == 0 ? spans[time / 16 % 6] : spans[time % 3]));
    }

    /// @dev Sometimes lets time run to a window's edge of the task, or one second beside it.
    function _wait(uint256 taskId, uint256 random) private {
        IEscrow.TaskView memory task = escrow.getTask(taskId);
        if (random % 3 != 0 || task.submittedAt == 0) return;
        uint256[4] memory edges = [
            task.disputeDeadline,
            escrow.due(taskId),
            task.lastActivityAt + 30 days,
            task.lastActivityAt + 37 days
        ];
        uint256 time = edges[random / 3 % 4] + random / 12 % 3;
        if (time > block.timestamp + 1) vm.warp(time - 1);
    }

    // The rules once more, from the outside: what may end a delivered task now?

    function _rulable(uint256 taskId, bool approved) private view returns (bool) {
        IEscrow.TaskView memory task = escrow.getTask(taskId);
        if (task.status != 3 && task.status != 4) return false;
        if (task.agentApproved && !approved) return false;
        IEscrow.Party party = escrow.disputedBy(taskId);
        bool early =
            party == IEscrow.Party.Agent || (party == IEscrow.Party.Nobody && task.agentApproved);
        uint256 opensAt = early ? task.submittedAt : task.disputeDeadline;
        return block.timestamp >= opensAt && block.timestamp < escrow.due(taskId);
    }

    function _settleable(uint256 taskId) private view returns (bool) {
        IEscrow.TaskView memory task = escrow.getTask(taskId);
        if (task.status != 3 && task.status != 4) return false;
        uint256 delay = task.agentApproved
            ? 72 hours
            : escrow.disputedBy(taskId) == IEscrow.Party.Agent ? 120 hours : 37 days;
        return block.timestamp >= task.lastActivityAt + delay;
    }

    function _try(address caller, bytes memory call) private returns (bool) {
        return _try(address(escrow), caller, call);
    }

    function _try(address target, address caller, bytes memory call)
        private
        returns (bool success)
    {
        vm.recordLogs();
        vm.prank(caller);
        (success,) = target.call(call);
        if (success) ++done[bytes4(call)];
        Vm.Log[] memory logs = vm.getRecordedLogs();
        if (!success) return false;
        for (uint256 i = 0; i < logs.length; ++i) {
            _enter(logs[i]);
        }
        for (uint256 id = 1; id <= escrow.taskCount(); ++id) {
            _watch(id);
        }
    }

    /// @dev Books the movements of money that the events tell.
    function _enter(Vm.Log memory log) private {
        bytes32 topic = log.topics[0];
        if (log.emitter != address(escrow)) return;
        if (topic == IEscrow.TaskPosted.selector) {
            Book storage book = books[uint256(log.topics[1])];
            (book.deposited, book.feeBasisPoints) = abi.decode(log.data, (uint256, uint16));
        } else if (topic == IEscrow.TaskReleased.selector) {
            Book storage book = books[uint256(log.topics[1])];
            (uint256 paid, uint256 fee) = abi.decode(log.data, (uint256, uint256));
            (book.paid, book.fee, book.ends) = (book.paid + paid, book.fee + fee, book.ends + 1);
        } else if (
            topic == IEscrow.TaskRefunded.selector || topic == IEscrow.TaskCancelled.selector
        ) {
            Book storage book = books[uint256(log.topics[1])];
            book.refunded += abi.decode(log.data, (uint256));
            ++book.ends;
        }
    }

    /// @dev Only the steps of the diagram, and none out of an end.
    function _watch(uint256 taskId) private {
        uint8 status = escrow.getTask(taskId).status;
        uint8 before = lastStatus[taskId];
        if (status == before) return;
        if (before >= 5) ++reopened;
        bool legal = (before == 0 && status == 1) || (before == 1 && (status == 2 || status == 7))
            || (before == 2 && (status == 3 || status == 7))
            || (before == 3 && (status == 4 || status == 5 || status == 6))
            || (before == 4 && (status == 5 || status == 6));
        if (!legal) ++illegalSteps;
        lastStatus[taskId] = status;
    }

    function _signatures(uint256 taskId, bool approved)
        private
        view
        returns (bytes[] memory signatures)
    {
        bytes32 digest = escrow.verdictDigest(taskId, approved);
        signatures = new bytes[](2);
        for (uint256 i = 0; i < 2; ++i) {
            (uint8 v, bytes32 r, bytes32 s) = vm.sign(validatorKeys[i], digest);
            signatures[i] = abi.encodePacked(r, s, v);
        }
    }

    function _party(uint256 taskId, bool agent) private view returns (address) {
        IEscrow.TaskView memory task = escrow.getTask(taskId);
        return agent ? task.agent : task.human;
    }

    function _agent(uint256 who) private view returns (address) {
        return agents[who % agents.length];
    }

    function _human(uint256 who) private view returns (address) {
        return humans[who % humans.length];
    }

    /// @dev Mostly a task whose status is one of two, sometimes any, sometimes none at all.
    function _task(uint256 which, uint8 one, uint8 other) private view returns (uint256) {
        uint256 count = escrow.taskCount();
        for (uint256 i = 0; i < count && which % 8 != 0; ++i) {
            uint256 id = bound(which / 8 + i, 1, count);
            uint8 status = escrow.getTask(id).status;
            if (status == one || status == other) return id;
        }
        return bound(which / 8, 1, count + 1);
    }

    /// @dev Mostly an application that waits for a decision.
    function _application(uint256 which) private view returns (uint256) {
        for (uint256 i = 0; i < applications && which % 8 != 0; ++i) {
            uint256 id = bound(which / 8 + i, 1, applications);
            IApplicationStaking.StakeView memory stake = staking.getStake(id);
            bool locked = stake.status == IApplicationStaking.StakeStatus.Locked;
            if (locked && staking.requiredStake(stake.taskId) != 0) return id;
        }
        return bound(which / 8, 1, applications + 1);
    }
}
