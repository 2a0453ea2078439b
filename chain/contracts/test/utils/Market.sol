// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ApplicationStaking} from "../../src/ApplicationStaking.sol";
import {Escrow} from "../../src/Escrow.sol";
import {Treasury} from "../../src/Treasury.sol";
import {IApplicationStaking} from "../../src/interfaces/IApplicationStaking.sol";
import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {ITokenCustody} from "../../src/interfaces/ITokenCustody.sol";
import {create, deploy} from "./Deploy.sol";
import {Signature} from "./Permits.sol";
import {signatureOf, vm} from "./Vm.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @dev A market with funded parties, and a helper for each step in a task's life cycle.
abstract contract Market {
    bool public constant IS_TEST = true;

    uint256 internal constant START = 1_800_000_000;
    uint16 internal constant FEE = 500;
    uint256 internal constant AMOUNT = 100 ether;
    uint256 internal constant STAKE = 5 ether;
    uint256 internal constant FUNDS = 1_000_000 ether;
    bytes32 internal constant TERMS = keccak256("terms");
    bytes32 internal constant WORK = keccak256("work");

    uint256 internal constant AGENT_KEY = 0xA1;
    uint256 internal constant HUMAN_KEY = 0xB1;
    address internal agent = vm.addr(AGENT_KEY);
    address internal immutable human = vm.addr(HUMAN_KEY);
    address internal immutable rival = vm.addr(0xB2);
    address internal immutable stranger = vm.addr(0xC1);
    address internal immutable owner = vm.addr(0xD1);
    address internal immutable guardian = vm.addr(0xD2);

    /// @dev The keys of three validators, sorted by address. The quorum is two.
    uint256[] internal keys;
    address[] internal validators;
    uint8 internal constant QUORUM = 2;

    IERC20 internal token;
    Treasury internal treasury;
    Escrow internal escrow;
    ApplicationStaking internal staking;

    function setUp() public virtual {
        vm.warp(START);
        delete keys;
        delete validators;
        for (uint256 key = 0xE1; key <= 0xE3; ++key) {
            _insertSorted(key);
        }
        token = _newToken();
        treasury = Treasury(deploy("Treasury", abi.encode(owner)));
        escrow = _newEscrow();
        staking = ApplicationStaking(address(escrow.applicationStaking()));
        _fund(agent);
        _fund(human);
        _fund(rival);
    }

    function _newToken() internal virtual returns (IERC20) {
        bytes memory arguments = abi.encode("Task Token", "TASK", address(this), 1000 * FUNDS);
        return IERC20(deploy("TaskToken", arguments));
    }

    function _newEscrow() internal virtual returns (Escrow) {
        return Escrow(deploy("Escrow", _escrowArguments()));
    }

    function _shippedEscrow() internal returns (Escrow) {
        return Escrow(_create("artifacts/Escrow.json", _escrowArguments()));
    }

    function _escrowArguments() internal view returns (bytes memory) {
        return abi.encode(token, address(treasury), owner, guardian, FEE, validators, QUORUM);
    }

    /// @dev Deploys the artifacts that compile.cjs writes.
    function _create(string memory artifact, bytes memory arguments) internal returns (address) {
        return create(artifact, arguments);
    }

    function _fund(address account) internal {
        token.transfer(account, FUNDS);
        vm.prank(account);
        token.approve(address(escrow), type(uint256).max);
        vm.prank(account);
        token.approve(address(staking), type(uint256).max);
    }

    /// @dev Sets the sender for the next call: `_escrowAs(agent).cancelTask(id)` is sent by the
    /// agent. The arguments must not call a contract, because that call would use the sender
    /// instead.
    function _escrowAs(address caller) internal returns (Escrow) {
        vm.prank(caller);
        return escrow;
    }

    function _stakingAs(address caller) internal returns (ApplicationStaking) {
        vm.prank(caller);
        return staking;
    }

    // Steps in a task's life cycle, each based on the previous one, with the parties above.

    function _post() internal returns (uint256 taskId) {
        return _post(AMOUNT);
    }

    function _post(uint256 amount) internal returns (uint256 taskId) {
        uint16 fee = escrow.platformFeeBasisPoints();
        vm.prank(agent);
        return escrow.postTask(amount, fee, TERMS);
    }

    function _applyFor(uint256 taskId, address who) internal returns (uint256 applicationId) {
        uint256 stake = staking.requiredStake(taskId);
        vm.prank(who);
        return staking.lockApplicationStake(taskId, stake);
    }

    function _accept(uint256 taskId, uint256 applicationId) internal {
        vm.prank(agent);
        escrow.acceptApplicationForTask(taskId, applicationId);
    }

    function _active() internal returns (uint256 taskId) {
        taskId = _post();
        _accept(taskId, _applyFor(taskId, human));
    }

    function _submitted() internal returns (uint256 taskId) {
        taskId = _active();
        vm.prank(human);
        escrow.submitTask(taskId, WORK);
    }

    function _approved() internal returns (uint256 taskId) {
        taskId = _submitted();
        vm.prank(agent);
        escrow.agentApproveTask(taskId);
    }

    function _disputed(address by) internal returns (uint256 taskId) {
        taskId = _submitted();
        vm.prank(by);
        escrow.disputeTask(taskId);
    }

    function _released() internal returns (uint256 taskId) {
        taskId = _approved();
        escrow.approveSubmission(taskId, _verdict(taskId, true));
    }

    function _refunded() internal returns (uint256 taskId) {
        taskId = _disputed(agent);
        escrow.rejectSubmission(taskId, _verdict(taskId, false));
    }

    function _cancelled() internal returns (uint256 taskId) {
        taskId = _post();
        vm.prank(agent);
        escrow.cancelTask(taskId);
    }

    // Encoded calls.

    function _postWithTerms(uint256 deadline, Signature memory permit)
        internal
        pure
        returns (bytes memory)
    {
        return abi.encodeWithSignature(
            "postTaskWithPermit(uint256,uint16,bytes32,uint256,uint8,bytes32,bytes32)",
            AMOUNT,
            FEE,
            TERMS,
            deadline,
            permit.v,
            permit.r,
            permit.s
        );
    }

    function _postWithoutTerms(uint256 deadline, Signature memory permit)
        internal
        pure
        returns (bytes memory)
    {
        return abi.encodeWithSignature(
            "postTaskWithPermit(uint256,uint16,uint256,uint8,bytes32,bytes32)",
            AMOUNT,
            FEE,
            deadline,
            permit.v,
            permit.r,
            permit.s
        );
    }

    /// @dev Every escrow call that changes a task or moves tokens.
    function _escrowCalls(uint256 taskId, uint256 deadline, Signature memory permit)
        internal
        view
        returns (bytes[] memory calls)
    {
        calls = new bytes[](13);
        calls[0] = abi.encodeCall(IEscrow.postTask, (AMOUNT, FEE, TERMS));
        calls[1] = _postWithTerms(deadline, permit);
        calls[2] = _postWithoutTerms(deadline, permit);
        calls[3] = abi.encodeCall(IEscrow.acceptApplicationForTask, (taskId, 1));
        calls[4] = abi.encodeCall(IEscrow.submitTask, (taskId, WORK));
        calls[5] = abi.encodeCall(IEscrow.agentApproveTask, (taskId));
        calls[6] = abi.encodeCall(IEscrow.disputeTask, (taskId));
        calls[7] = abi.encodeCall(IEscrow.approveSubmission, (taskId, new bytes[](QUORUM)));
        calls[8] = abi.encodeCall(IEscrow.rejectSubmission, (taskId, new bytes[](QUORUM)));
        calls[9] = abi.encodeCall(IEscrow.cancelTask, (taskId));
        calls[10] = abi.encodeCall(IEscrow.settle, (taskId));
        calls[11] = abi.encodeCall(IEscrow.emergencyRelease, (taskId));
        calls[12] = abi.encodeCall(ITokenCustody.withdrawCredit, (human));
    }

    /// @dev Every staking call that moves tokens, except those that only the escrow can make.
    function _stakingCalls(uint256 taskId, uint256 deadline, Signature memory permit)
        internal
        view
        returns (bytes[] memory calls)
    {
        calls = new bytes[](5);
        calls[0] = abi.encodeCall(IApplicationStaking.lockApplicationStake, (taskId, STAKE));
        calls[1] = abi.encodeCall(
            IApplicationStaking.lockApplicationStakeWithPermit,
            (taskId, STAKE, deadline, permit.v, permit.r, permit.s)
        );
        calls[2] = abi.encodeCall(IApplicationStaking.rejectApplication, (1));
        calls[3] = abi.encodeCall(IApplicationStaking.withdrawStake, (1));
        calls[4] = abi.encodeCall(ITokenCustody.withdrawCredit, (human));
    }

    // Verdicts.

    /// @dev Returns signatures from a quorum for the task's current round.
    function _verdict(uint256 taskId, bool approved) internal view returns (bytes[] memory) {
        return _signed(escrow.verdictDigest(taskId, approved), QUORUM);
    }

    function _signed(bytes32 digest, uint256 count)
        internal
        view
        returns (bytes[] memory signatures)
    {
        signatures = new bytes[](count);
        for (uint256 i = 0; i < count; ++i) {
            signatures[i] = signatureOf(keys[i], digest);
        }
    }

    // Assertions.

    function _assertStatus(uint256 taskId, IEscrow.Status want) internal view {
        vm.assertEq(escrow.getTask(taskId).status, uint8(want), "status");
    }

    function _assertPaid(uint256 amount, uint16 feeBasisPoints) internal view {
        uint256 fee = amount * feeBasisPoints / 10_000;
        vm.assertEq(token.balanceOf(human), FUNDS + amount - fee, "human");
        vm.assertEq(token.balanceOf(agent), FUNDS - amount, "agent");
        vm.assertEq(token.balanceOf(address(treasury)), fee, "treasury");
        _assertEmpty();
    }

    function _assertEmpty() internal view {
        vm.assertEq(token.balanceOf(address(escrow)), 0, "escrow");
        vm.assertEq(token.balanceOf(address(staking)), 0, "staking");
    }

    /// @dev Returns a list with this account; the zero address gives an empty list.
    function _list(address account) internal pure returns (address[] memory accounts) {
        accounts = new address[](account == address(0) ? 0 : 1);
        if (account != address(0)) accounts[0] = account;
    }

    function _notLocked(uint256 applicationId, IApplicationStaking.StakeStatus status)
        internal
        pure
        returns (bytes memory)
    {
        return abi.encodeWithSelector(
            IApplicationStaking.StakeNotLocked.selector, applicationId, status
        );
    }

    /// @dev Expects that the next call reverts because of the task's current status.
    function _expectWrongStatus(uint256 taskId) internal {
        vm.expectRevert(_wrongStatus(taskId, IEscrow.Status(escrow.getTask(taskId).status)));
    }

    function _wrongStatus(uint256 taskId, IEscrow.Status status)
        internal
        pure
        returns (bytes memory)
    {
        return abi.encodeWithSelector(IEscrow.WrongStatus.selector, taskId, status);
    }

    function _insertSorted(uint256 key) internal {
        keys.push(key);
        validators.push(vm.addr(key));
        for (uint256 i = keys.length - 1; i > 0 && validators[i] < validators[i - 1]; --i) {
            (keys[i], keys[i - 1]) = (keys[i - 1], keys[i]);
            (validators[i], validators[i - 1]) = (validators[i - 1], validators[i]);
        }
    }
}
